// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cpu
{
/// The strategy `on_the_fly` of the CPU: element products from the vertex coordinates, one element a
/// SIMD lane.
template <typename Number>
Strategy<Number> on_the_fly();
} // namespace strut::cpu
