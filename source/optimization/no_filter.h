// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/filter.h>

namespace strut
{
/// `none`: the design variables are the densities.
FilterEntry no_filter();
} // namespace strut
