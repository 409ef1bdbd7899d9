// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `ebeSym` of the GPU: 8 threads per element, the symmetric half of its matrix.
template <typename Number>
Strategy<Number> ebe_sym();
} // namespace strut::cuda
