// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/assembly_operations.h"

// Stages 1 and 2 of AssemblyOperations::Functions, and the product. Stage 3 is in
// value_stage_cpu.cc.
namespace strut::cpu
{
NeighbourMatrix find_neighbours(Backend &backend,
                                const ConnectivityArrays &connectivity,
                                NeighbourSort sort,
                                StageReport *report);

void fill_pattern(Backend &backend, const NeighbourMatrix &neighbours, SparsePattern &pattern);

template <typename Number>
std::unique_ptr<MatrixProduct<Number>> make_product(Backend &backend,
                                                    const GeneratedMatrix<Number> &matrix);
} // namespace strut::cpu
