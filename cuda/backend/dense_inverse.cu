// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"

namespace strut::cuda
{
namespace
{
constexpr int tile            = 32; ///< rows and columns of a tile
constexpr int update_rows     = 8;  ///< threads along the rows of a tile in update_kernel
constexpr int apply_block     = 128;
constexpr int threads_per_row = 32;

/// A tile in shared memory; one column more keeps the columns in different banks.
using Tile = double[tile][tile + 1];

/// Replace the pivot tile in shared memory by its inverse (Gauss and Jordan, no pivoting: the matrix
/// is positive definite). One thread per entry. Clears `ok` where a pivot is not positive.
__device__ void invert_tile(Tile &D, const int row, const int column, int *const ok)
{
  for (int k = 0; k < tile; ++k)
    {
      const double pivot = D[k][k];
      if (row == k && column == k && !(pivot > 0.))
        *ok = 0;
      const double scaled = D[k][column] / pivot, factor = D[row][k], own = D[row][column];
      __syncthreads();
      D[row][column] = row == k ? (column == k ? 1. / pivot : scaled)
                                : (column == k ? -factor / pivot : own - factor * scaled);
      __syncthreads();
    }
}

/// Formula:   step k of the inversion by tiles, first half: D = A_kk^-1, R_j = D A_kj, C_j = A_jk
/// Layout:    A `[n][n]`, n a multiple of 32; R and C `[n / 32][32][32]`; D `[32][32]`
/// Threads:   one block of 32x32 per tile j; all of them invert the pivot tile
/// Bytes:     24 per entry of the two panels
/// Flops:     64 per entry of R
/// Determinism: no sum depends on an order of threads
__global__ void __launch_bounds__(tile *tile) panel_kernel(const double *__restrict__ A,
                                                           const std::size_t n,
                                                           const int k,
                                                           double *__restrict__ D_out,
                                                           double *__restrict__ R,
                                                           double *__restrict__ C,
                                                           int *__restrict__ ok)
{
  __shared__ Tile D, panel;
  const int row = threadIdx.y, column = threadIdx.x, j = blockIdx.x;
  const std::size_t first = std::size_t(k) * tile, other = std::size_t(j) * tile;
  D[row][column]       = A[(first + row) * n + first + column];
  panel[row][column]   = A[(first + row) * n + other + column];
  const std::size_t at = std::size_t(j) * tile * tile + row * tile + column;
  C[at]                = A[(other + row) * n + first + column];
  __syncthreads();
  invert_tile(D, row, column, ok);
  double sum = 0.;
#pragma unroll
  for (int l = 0; l < tile; ++l)
    sum += D[row][l] * panel[l][column];
  R[at] = sum;
  if (j == k)
    D_out[row * tile + column] = D[row][column];
}

/// Formula:   second half: A_kk = D, A_kj = R_j, A_ik = -C_i D, A_ij -= C_i R_j
/// Threads:   one block of 8x32 per tile, 4 rows per thread
/// Bytes:     16 per entry, tiles of the panels from the caches
/// Flops:     64 per entry
__global__ void __launch_bounds__(tile *update_rows) update_kernel(double *__restrict__ A,
                                                                   const std::size_t n,
                                                                   const int k,
                                                                   const double *__restrict__ D,
                                                                   const double *__restrict__ R,
                                                                   const double *__restrict__ C)
{
  __shared__ Tile left, right;
  const int i = blockIdx.y, j = blockIdx.x, column = threadIdx.x;
  const std::size_t left_at = std::size_t(i) * tile * tile, right_at = std::size_t(j) * tile * tile;
#pragma unroll
  for (int row = threadIdx.y; row < tile; row += update_rows)
    {
      left[row][column]  = C[left_at + row * tile + column];
      right[row][column] = (j == k ? D : R + right_at)[row * tile + column];
    }
  __syncthreads();
#pragma unroll
  for (int row = threadIdx.y; row < tile; row += update_rows)
    {
      double &entry = A[(std::size_t(i) * tile + row) * n + std::size_t(j) * tile + column];
      double sum    = 0.;
#pragma unroll
      for (int l = 0; l < tile; ++l)
        sum += left[row][l] * right[l][column];
      entry = i == k ? right[row][column] : j == k ? -sum : entry - sum;
    }
}

/// Formula:   y = inverse x
/// Threads:   one warp per row
/// Bytes:     8 n^2, x from the caches
template <typename Number>
__global__ void __launch_bounds__(apply_block) apply_kernel(const double *__restrict__ inverse,
                                                            const std::size_t n_padded,
                                                            const std::size_t n,
                                                            const Number *__restrict__ x,
                                                            Number *__restrict__ y)
{
  const std::size_t row = thread_number() / threads_per_row;
  const int lane        = threadIdx.x % threads_per_row;
  if (row >= n)
    return;
  double sum = 0.;
#pragma unroll 4
  for (std::size_t column = lane; column < n; column += threads_per_row)
    sum += inverse[row * n_padded + column] * static_cast<double>(x[column]);
  for (int offset = threads_per_row / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    y[row] = static_cast<Number>(sum);
}

template <typename Number>
class CudaDenseInverse : public DenseInverse<Number>
{
public:
  CudaDenseInverse(const Context &context, Memory &memory, const SymmetricPattern &pattern)
    : context_(context)
    , n_(pattern.n)
    , n_tiles_(n_blocks(pattern.n, tile))
    , rows_(memory, pattern.rows)
    , columns_(memory, pattern.columns)
    , skipped_(memory, pattern.skipped)
    , values_(memory, pattern.rows.size())
    , A_(memory, std::size_t(n_tiles_) * tile * n_tiles_ * tile)
    , D_(memory, tile * tile)
    , R_(memory, std::size_t(n_tiles_) * tile * tile)
    , C_(memory, std::size_t(n_tiles_) * tile * tile)
    , ok_(memory, 1)
  {}

  bool invert(const std::vector<double> &values) override
  {
    values_.copy_from_host(values);
    ok_.copy_from_host({1});
    scatter();
    const cudaStream_t stream = context_.activate();
    const std::size_t n       = std::size_t(n_tiles_) * tile;
    for (unsigned int k = 0; k < n_tiles_; ++k)
      {
        panel_kernel<<<n_tiles_, dim3(tile, tile), 0, stream>>>(
          A_.data(), n, k, D_.data(), R_.data(), C_.data(), ok_.data());
        STRUT_CUDA_CHECK_LAUNCH("panel_kernel");
        update_kernel<<<dim3(n_tiles_, n_tiles_), dim3(tile, update_rows), 0, stream>>>(
          A_.data(), n, k, D_.data(), R_.data(), C_.data());
        STRUT_CUDA_CHECK_LAUNCH("update_kernel");
      }
    finish();
    return ok_.to_host()[0] == 1;
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    if (n_ == 0)
      return;
    apply_kernel<<<n_blocks(n_ * threads_per_row, apply_block),
                   apply_block,
                   0,
                   context_.activate()>>>(
      A_.data(), std::size_t(n_tiles_) * tile, n_, x.data(), y.data());
    STRUT_CUDA_CHECK_LAUNCH("apply_kernel");
  }

  /// The values to their places; ones on the diagonal beyond the matrix. (Public: it has a device
  /// lambda.)
  void scatter()
  {
    A_.set_zero();
    double *const A                    = A_.data();
    const double *const values         = values_.data();
    const std::uint32_t *const rows    = rows_.data();
    const std::uint32_t *const columns = columns_.data();
    const std::size_t n = std::size_t(n_tiles_) * tile, used = n_;
    parallel_for(context_, rows_.size(), [=] __device__(const std::size_t e) {
      A[rows[e] * n + columns[e]] = values[e];
      A[columns[e] * n + rows[e]] = values[e];
    });
    parallel_for(context_, n - used, [=] __device__(const std::size_t i) {
      A[(used + i) * n + used + i] = 1.;
    });
  }

  /// Zero rows and columns; and symmetric to the last bit, so that a solver sees no other matrix.
  void finish()
  {
    double *const A                   = A_.data();
    const std::uint8_t *const skipped = skipped_.data();
    const std::size_t n = std::size_t(n_tiles_) * tile, used = n_;
    parallel_for(context_, used * used, [=] __device__(const std::size_t e) {
      const std::size_t i = e / used, j = e % used;
      if (j > i)
        return;
      const double mean = 0.5 * (A[i * n + j] + A[j * n + i]);
      A[i * n + j] = A[j * n + i] = skipped[i] != 0 || skipped[j] != 0 ? 0. : mean;
    });
  }

private:
  const Context &context_;
  const std::size_t n_;
  const unsigned int n_tiles_; ///< along a side
  Array<std::uint32_t> rows_, columns_;
  Array<std::uint8_t> skipped_;
  Array<double> values_;
  Array<double> A_;     ///< the matrix, then its inverse, `[32 n_tiles][32 n_tiles]`
  Array<double> D_;     ///< the inverse of the pivot tile
  Array<double> R_, C_; ///< panels
  Array<int> ok_;
};
} // namespace

template <typename Number>
std::unique_ptr<DenseInverse<Number>>
make_dense_inverse(const Context &context, Memory &memory, const SymmetricPattern &pattern)
{
  return std::make_unique<CudaDenseInverse<Number>>(context, memory, pattern);
}

template std::unique_ptr<DenseInverse<double>>
make_dense_inverse<double>(const Context &, Memory &, const SymmetricPattern &);
template std::unique_ptr<DenseInverse<float>>
make_dense_inverse<float>(const Context &, Memory &, const SymmetricPattern &);
} // namespace strut::cuda
