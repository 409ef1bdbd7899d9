// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>

namespace strut::cpu
{
// The strategies of the CPU, one file each, in the order in which tables list them. A new one is a
// declaration here and a line in strategies.cc.

/// The strategy `ebe`: one loop over the elements.
template <typename Number>
Strategy<Number> ebe();

/// The strategy `nbn`: one loop over the nodes.
template <typename Number>
Strategy<Number> nbn();

/// The strategy `on_the_fly`: element products from the vertex coordinates, one element per
/// SIMD lane.
template <typename Number>
Strategy<Number> on_the_fly();
} // namespace strut::cpu
