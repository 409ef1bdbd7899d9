// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/backend/backend_parts.h"
#include "source/comparison/assembly/assembly_operations.h"

// Stages 1 and 2 of AssemblyOperations::Functions, and products; value_stage.cu has stage 3.
namespace strut::cuda
{
NeighbourMatrix find_neighbours(Backend &backend,
                                const ConnectivityArrays &connectivity,
                                NeighbourSort sort,
                                StageReport *report);

void fill_pattern(Backend &backend, const NeighbourMatrix &neighbours, SparsePattern &pattern);

template <typename Number>
std::unique_ptr<MatrixProduct<Number>> make_product(Backend &backend,
                                                    const GeneratedMatrix<Number> &matrix);

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
