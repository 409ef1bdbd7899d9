// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/band_factor.h"
#include "cuda/backend/tiles.cuh"
#include "cuda/base/check.h"

namespace strut::cuda
{
namespace
{
/// Formula:   step k of the block factor A = R^T D^-1 R, first half: D_k = A_kk^-1, B_j = A_kj,
///            R_j = A_kj = D_k B_j for the tiles j of the band, k < j < k + gridDim.x.
/// Layout:    A `[n][n]`, n a multiple of 64, tiles above the diagonal and on it; B
///            `[gridDim.x - 1][64][64]`; D_k `[64][64]`.
/// Threads:   one block of 16x16 per tile, 16 entries per thread; all blocks invert the pivot tile.
/// Bytes:     24 per entry of the panel.
/// Flops:     128 per entry of R.
/// Determinism: no sum depends on the order of threads.
__global__ void __launch_bounds__(side *side) panel_kernel(double *__restrict__ A,
                                                           const std::size_t n,
                                                           const int k,
                                                           double *__restrict__ D_k,
                                                           double *__restrict__ B,
                                                           int *__restrict__ ok)
{
  extern __shared__ double shared[];
  Tile &D                  = *reinterpret_cast<Tile *>(shared),
       &panel              = *reinterpret_cast<Tile *>(shared + tile * tile);
  const double *const A_kk = A + std::size_t(k) * tile * n + std::size_t(k) * tile;
  for (int i = threadIdx.y; i < tile; i += side)
    for (int c = threadIdx.x; c < tile; c += side)
      D[i][c] = A_kk[i * n + c];
  __syncthreads();
  invert_tile(D, &panel[0][0], ok);
  if (blockIdx.x == 0)
    {
      for (int i = threadIdx.y; i < tile; i += side)
        for (int c = threadIdx.x; c < tile; c += side)
          D_k[i * tile + c] = D[i][c];
      return;
    }
  double *const A_kj = A + std::size_t(k) * tile * n + std::size_t(k + blockIdx.x) * tile;
  double *const B_j  = B + std::size_t(blockIdx.x - 1) * tile * tile;
  for (int i = threadIdx.y; i < tile; i += side)
    for (int c = threadIdx.x; c < tile; c += side)
      B_j[i * tile + c] = panel[i][c] = A_kj[i * n + c];
  __syncthreads();
  double sum[per_thread][per_thread] = {};
  for (int l = 0; l < tile; ++l)
    {
      double left[per_thread], right[per_thread];
#pragma unroll
      for (int i = 0; i < per_thread; ++i)
        {
          left[i]  = D[member(threadIdx.y, i)][l];
          right[i] = panel[l][member(threadIdx.x, i)];
        }
#pragma unroll
      for (int i = 0; i < per_thread; ++i)
#pragma unroll
        for (int c = 0; c < per_thread; ++c)
          sum[i][c] += left[i] * right[c];
    }
#pragma unroll
  for (int i = 0; i < per_thread; ++i)
#pragma unroll
    for (int c = 0; c < per_thread; ++c)
      A_kj[member(threadIdx.y, i) * n + member(threadIdx.x, c)] = sum[i][c];
}

/// Formula:   second half: A_ij -= B_i^T R_j for the tiles k < i <= j of the band.
/// Threads:   one block of 16x16 per tile, 4x4 entries per thread; blocks below the diagonal do
///            nothing.
/// Bytes:     16 per entry, tiles of the panels from the caches.
/// Flops:     128 per entry.
/// Determinism: no sum depends on the order of threads.
__global__ void __launch_bounds__(side *side) update_kernel(double *__restrict__ A,
                                                            const std::size_t n,
                                                            const int k,
                                                            const double *__restrict__ B)
{
  __shared__ double left[depth][tile], right[depth][tile];
  if (blockIdx.y > blockIdx.x)
    return;
  const std::size_t i                = std::size_t(k + 1 + blockIdx.y) * tile,
                    j                = std::size_t(k + 1 + blockIdx.x) * tile;
  const double *const B_i            = B + std::size_t(blockIdx.y) * tile * tile;
  const double *const R_j            = A + std::size_t(k) * tile * n + j;
  double sum[per_thread][per_thread] = {};
  for (int first = 0; first < tile; first += depth)
    {
      for (int l = threadIdx.y; l < depth; l += side)
        for (int c = threadIdx.x; c < tile; c += side)
          {
            left[l][c]  = B_i[(first + l) * tile + c];
            right[l][c] = R_j[(first + l) * n + c];
          }
      __syncthreads();
      add_product(sum, left, right);
      __syncthreads();
    }
#pragma unroll
  for (int r = 0; r < per_thread; ++r)
#pragma unroll
    for (int c = 0; c < per_thread; ++c)
      A[(i + member(threadIdx.y, r)) * n + j + member(threadIdx.x, c)] -= sum[r][c];
}
} // namespace

void factor_band(const cudaStream_t stream,
                 double *const A,
                 const std::vector<unsigned int> &ends,
                 double *const D,
                 double *const panel,
                 int *const ok)
{
  const std::size_t n = ends.size() * tile;
  STRUT_CUDA_CHECK(cudaFuncSetAttribute(panel_kernel,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        2 * sizeof(Tile)));
  for (unsigned int k = 0; k < ends.size(); ++k)
    {
      const unsigned int n_band = ends[k] - k - 1;
      panel_kernel<<<1 + n_band, dim3(side, side), 2 * sizeof(Tile), stream>>>(
        A, n, k, D + std::size_t(k) * tile * tile, panel, ok);
      STRUT_CUDA_CHECK_LAUNCH("panel_kernel");
      if (n_band == 0)
        continue;
      update_kernel<<<dim3(n_band, n_band), dim3(side, side), 0, stream>>>(A, n, k, panel);
      STRUT_CUDA_CHECK_LAUNCH("update_kernel");
    }
}
} // namespace strut::cuda
