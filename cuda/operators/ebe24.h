// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `ebe24` of the GPU: 24 threads per element, a row each.
template <typename Number>
Strategy<Number> ebe24();
} // namespace strut::cuda
