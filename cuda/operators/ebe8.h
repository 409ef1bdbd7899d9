// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `ebe8` of the GPU: 8 threads per element, 3 rows each.
template <typename Number>
Strategy<Number> ebe8();
} // namespace strut::cuda
