// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/aggregation.h"
#include "source/solvers/coarse/block_matrix.h"

#include <vector>

namespace strut
{
/// Returns the pattern of `(I - w D^-1 A) T`: the aggregates of each node and of its neighbours.
BlockPattern
prolongator_pattern(int n_threads, const BlockPattern &A, const Aggregates &aggregates);

/// Returns the pattern of `P^T A P`.
BlockPattern product_pattern(int n_threads,
                             const BlockPattern &A,
                             const BlockPattern &P,
                             const TransposedPattern &transposed);

/// Computes `P = (I - w D^-1 A) T`.
/// @param T  blocks of the tentative prolongator
template <int B>
void smooth_prolongator(int n_threads,
                        const BlockMatrix<B, B> &A,
                        const std::vector<double> &inverse_diagonal,
                        double w,
                        const Aggregates &aggregates,
                        const std::vector<double> &T,
                        BlockMatrix<B, 6> &P);

/// Computes `coarse = P^T A P`, with the patterns above.
template <int B>
void triple_product(int n_threads,
                    const BlockMatrix<B, B> &A,
                    const BlockMatrix<B, 6> &P,
                    const TransposedPattern &transposed,
                    BlockMatrix<6, 6> &coarse);
} // namespace strut
