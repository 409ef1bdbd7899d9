// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/filter.h>

namespace strut
{
/// `sensitivity`: Sigmund's filter of the sensitivities.
FilterEntry sensitivity_filter();
} // namespace strut
