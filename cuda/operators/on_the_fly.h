// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `on_the_fly` of the GPU: from coordinates, patches of elements by warps.
template <typename Number>
Strategy<Number> on_the_fly();

/// The strategy `on_the_fly_ordered`: the same, and the sums of the patches added in a fixed order.
template <typename Number>
Strategy<Number> on_the_fly_ordered();
} // namespace strut::cuda
