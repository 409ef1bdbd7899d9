// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cpu
{
/// The strategy `nbn` of the CPU: one loop over the nodes.
template <typename Number>
Strategy<Number> nbn();
} // namespace strut::cpu
