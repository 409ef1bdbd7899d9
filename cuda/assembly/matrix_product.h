// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/assembly/sparse_pattern.h"

namespace strut::cuda
{
/// Computes y = A x with a matrix of 3 DoFs per node in compressed rows, or in COO, whose values
/// are in the same order. The columns are those of the neighbours.
template <typename Number>
void csr_product(const Context &context,
                 const NeighbourMatrix &neighbours,
                 const Array<Number> &values,
                 const Array<Number> &x,
                 Array<Number> &y);

/// Computes y = A x with a matrix in ELL.
/// @param pattern  with its columns
template <typename Number>
void ell_product(const Context &context,
                 const SparsePattern &pattern,
                 const Array<Number> &values,
                 const Array<Number> &x,
                 Array<Number> &y);
} // namespace strut::cuda
