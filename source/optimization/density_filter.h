// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/filter.h>

namespace strut
{
/// `density`: the densities are means of the design variables.
FilterEntry density_filter();
} // namespace strut
