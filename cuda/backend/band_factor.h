// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace strut::cuda
{
/// Computes the block factor A = R^T D^-1 R of a symmetric positive definite matrix, R with ones on
/// the diagonal. The part of R in the band replaces A. The work is submitted, not waited for.
///
/// @param A  `[n][n]`, n = 64 ends.size(): the tiles of 64 x 64 above the diagonal and on it
/// @param ends  end of the band: the first tile to the right of the diagonal in which row k of R
///   has only zeros; never less than for the row before
/// @param D  the inverses of the pivot tiles, `[n / 64][64][64]`
/// @param panel  room for `[n / 64][64][64]`
/// @param ok  becomes 0 where a pivot is not positive
void factor_band(cudaStream_t stream,
                 double *A,
                 const std::vector<unsigned int> &ends,
                 double *D,
                 double *panel,
                 int *ok);
} // namespace strut::cuda
