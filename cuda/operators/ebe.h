// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `ebe` of the GPU: one thread per element.
template <typename Number>
Strategy<Number> ebe();
} // namespace strut::cuda
