// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cpu
{
/// The strategy `ebe` of the CPU: one loop over the elements.
template <typename Number>
Strategy<Number> ebe();
} // namespace strut::cpu
