// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/filter.h>

namespace strut
{
/// `projection`: the density filter, then a smoothed step.
FilterEntry projection_filter();
} // namespace strut
