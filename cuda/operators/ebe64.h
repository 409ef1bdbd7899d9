// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `ebe64` of the GPU: 64 threads per element, a block of 3 x 3 each.
template <typename Number>
Strategy<Number> ebe64();
} // namespace strut::cuda
