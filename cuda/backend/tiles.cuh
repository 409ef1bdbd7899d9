// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

/// Full matrices as tiles of 64 x 64 entries, each computed by a block of 16 x 16 threads.
namespace strut::cuda
{
constexpr int tile       = 64;          ///< rows and columns of a tile
constexpr int depth      = 32;          ///< rows of a product of tiles that shared memory holds
constexpr int side       = 16;          ///< threads along a side of a tile
constexpr int per_thread = tile / side; ///< rows, and columns, of a tile for each thread

/// A tile in shared memory. Two of them take the 64 KiB that all devices have.
using Tile = double[tile][tile];

/// Returns the rows, or columns, of a tile that belong to thread `t` of a side: t, t + 16, ...
__device__ inline int member(const int t, const int i)
{
  return t + side * i;
}

/// Replaces the pivot tile in shared memory by its inverse. The method is that of Gauss and Jordan
/// without pivoting, as the matrix is positive definite. Entries are in registers. The pivot's row
/// and column are exchanged in shared memory, in two buffers, so that a step waits once. Clears
/// `ok` where a pivot is not positive.
///
/// @param room  for 4 x 64 numbers, in shared memory
__device__ inline void invert_tile(Tile &D, double *const room, int *const ok)
{
  double own[per_thread][per_thread];
#pragma unroll
  for (int i = 0; i < per_thread; ++i)
#pragma unroll
    for (int j = 0; j < per_thread; ++j)
      own[i][j] = D[member(threadIdx.y, i)][member(threadIdx.x, j)];
#pragma unroll
  for (int m = 0; m < per_thread; ++m)
    for (int t = 0; t < side; ++t)
      {
        const bool has_row = threadIdx.y == t, has_column = threadIdx.x == t;
        double *const row = room + t % 2 * tile, *const column = row + 2 * tile;
#pragma unroll
        for (int i = 0; i < per_thread; ++i)
          {
            if (has_row)
              row[member(threadIdx.x, i)] = own[m][i];
            if (has_column)
              column[member(threadIdx.y, i)] = own[i][m];
          }
        __syncthreads();
        const double pivot = row[member(t, m)], inverse = 1. / pivot;
        if (has_row && has_column && !(pivot > 0.))
          *ok = 0;
#pragma unroll
        for (int i = 0; i < per_thread; ++i)
          {
            const bool is_row   = has_row && i == m;
            const double factor = column[member(threadIdx.y, i)] * inverse;
#pragma unroll
            for (int j = 0; j < per_thread; ++j)
              {
                const bool is_column = has_column && j == m;
                const double of_row  = row[member(threadIdx.x, j)];
                if (is_row)
                  own[i][j] = is_column ? inverse : of_row * inverse;
                else
                  own[i][j] = is_column ? -factor : own[i][j] - factor * of_row;
              }
          }
      }
#pragma unroll
  for (int i = 0; i < per_thread; ++i)
#pragma unroll
    for (int j = 0; j < per_thread; ++j)
      D[member(threadIdx.y, i)][member(threadIdx.x, j)] = own[i][j];
  __syncthreads();
}

/// Adds sum += left^T right, over the rows of both.
template <typename Left, typename Right>
__device__ void
add_product(double (&sum)[per_thread][per_thread], const Left &left, const Right &right)
{
#pragma unroll 8
  for (int l = 0; l < depth; ++l)
    {
      double of_row[per_thread], of_column[per_thread];
#pragma unroll
      for (int r = 0; r < per_thread; ++r)
        {
          of_row[r]    = left[l][member(threadIdx.y, r)];
          of_column[r] = right[l][member(threadIdx.x, r)];
        }
#pragma unroll
      for (int r = 0; r < per_thread; ++r)
#pragma unroll
        for (int c = 0; c < per_thread; ++c)
          sum[r][c] += of_row[r] * of_column[c];
    }
}
} // namespace strut::cuda
