// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>

namespace strut::cuda
{
/// The strategy `csr (cuSPARSE)`: the matrix of `assembled` with the product of NVIDIA's library
/// cuSPARSE, for comparison in benchmarks. It is in a library target of its own, so that strut does
/// not need cuSPARSE.
template <typename Number>
Strategy<Number> csr();
} // namespace strut::cuda
