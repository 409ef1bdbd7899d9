// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `dbd` of the GPU: one thread per degree of freedom, one matrix for all elements.
template <typename Number>
Strategy<Number> dbd();
} // namespace strut::cuda
