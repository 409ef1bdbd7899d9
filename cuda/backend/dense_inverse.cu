// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"

namespace strut::cuda
{
namespace
{
constexpr int tile            = 64; ///< rows and columns of a tile
constexpr int depth           = 32; ///< of the product that update_kernel keeps in shared memory
constexpr int side            = 16; ///< threads along a side of a tile
constexpr int per_thread      = tile / side; ///< rows, and columns, of a thread
constexpr int square          = 32;          ///< entries along a side of a block of finish_kernel
constexpr int square_rows     = 8;
constexpr int apply_block     = 128;
constexpr int threads_per_row = 32;

/// A tile in shared memory. Two of them take the 64 KiB that all devices have.
using Tile = double[tile][tile];

/// The rows, or columns, of a tile that belong to thread `t` of a side: t, t + 16, ...
__device__ int member(const int t, const int i)
{
  return t + side * i;
}

/// Replace the pivot tile in shared memory by its inverse (Gauss and Jordan, no pivoting: the matrix
/// is positive definite). Entries are in registers; the pivot's row and column go around in shared
/// memory, in two buffers, so that a step waits once. Clears `ok` where a pivot is not positive.
///
/// @param room  for 4 x 64 numbers, in shared memory
__device__ void invert_tile(Tile &D, double *const room, int *const ok)
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

/// Formula:   step k of the symmetric sweep by tiles, first half: D = A_kk^-1, B_j = A_kj, A_kj = R_j = D B_j
/// Layout:    A `[n][n]`, n a multiple of 64, tiles above the diagonal and on it; B and R
///            `[n / 64][64][64]`; D `[64][64]`
/// Threads:   one block of 16x16 per tile j, 16 entries per thread; all blocks invert the pivot tile
/// Bytes:     32 per entry of the panel
/// Flops:     128 per entry of R
/// Determinism: no sum depends on an order of threads
__global__ void __launch_bounds__(side *side) panel_kernel(double *__restrict__ A,
                                                           const std::size_t n,
                                                           const int k,
                                                           double *__restrict__ D_out,
                                                           double *__restrict__ B,
                                                           double *__restrict__ R,
                                                           int *__restrict__ ok)
{
  extern __shared__ double shared[];
  Tile &D     = *reinterpret_cast<Tile *>(shared),
       &panel = *reinterpret_cast<Tile *>(shared + tile * tile);
  const int j = blockIdx.x;
  // A_kj is stored as A_jk^T where j comes first.
  const auto entry = [&](const int row, const int column) -> double & {
    return j < k ? A[(std::size_t(j) * tile + column) * n + std::size_t(k) * tile + row]
                 : A[(std::size_t(k) * tile + row) * n + std::size_t(j) * tile + column];
  };
  const std::size_t first = std::size_t(k) * tile, panel_begin = std::size_t(j) * tile * tile;
  for (int i = threadIdx.y; i < tile; i += side)
    for (int c = threadIdx.x; c < tile; c += side)
      D[i][c] = A[(first + i) * n + first + c];
  __syncthreads();
  invert_tile(D, &panel[0][0], ok);
  if (j == k)
    {
      for (int i = threadIdx.y; i < tile; i += side)
        for (int c = threadIdx.x; c < tile; c += side)
          D_out[i * tile + c] = D[i][c];
      return;
    }
  for (int i = threadIdx.y; i < tile; i += side)
    for (int c = threadIdx.x; c < tile; c += side)
      // consecutive threads read consecutive entries, whichever half is stored
      if (j < k)
        panel[c][i] = entry(c, i);
      else
        panel[i][c] = entry(i, c);
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
      {
        const int row = member(threadIdx.y, i), column = member(threadIdx.x, c);
        B[panel_begin + row * tile + column] = panel[row][column];
        R[panel_begin + row * tile + column] = sum[i][c];
        entry(row, column)                   = sum[i][c];
      }
}

/// Formula:   second half: A_kk = -D, A_ij -= B_i^T R_j for the other tiles with i <= j
/// Threads:   one block of 16x16 per tile, 4x4 entries per thread; blocks below the diagonal have none
/// Bytes:     16 per entry, tiles of the panels from the caches
/// Flops:     128 per entry
/// Determinism: no sum depends on an order of threads
__global__ void __launch_bounds__(side *side) update_kernel(double *__restrict__ A,
                                                            const std::size_t n,
                                                            const int k,
                                                            const double *__restrict__ D,
                                                            const double *__restrict__ B,
                                                            const double *__restrict__ R)
{
  __shared__ double left[depth][tile], right[depth][tile];
  const int i = blockIdx.y, j = blockIdx.x;
  if (i > j || (i == k) != (j == k))
    return;
  double *const A_ij = A + std::size_t(i) * tile * n + std::size_t(j) * tile;
  if (i == k)
    {
      for (int r = threadIdx.y; r < tile; r += side)
        for (int c = threadIdx.x; c < tile; c += side)
          A_ij[r * n + c] = -D[r * tile + c];
      return;
    }
  const double *const B_i            = B + std::size_t(i) * tile * tile;
  const double *const R_j            = R + std::size_t(j) * tile * tile;
  double sum[per_thread][per_thread] = {};
  for (int first = 0; first < tile; first += depth)
    {
      for (int l = threadIdx.y; l < depth; l += side)
        for (int c = threadIdx.x; c < tile; c += side)
          {
            left[l][c]  = B_i[(first + l) * tile + c];
            right[l][c] = R_j[(first + l) * tile + c];
          }
      __syncthreads();
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
      __syncthreads();
    }
#pragma unroll
  for (int r = 0; r < per_thread; ++r)
#pragma unroll
    for (int c = 0; c < per_thread; ++c)
      A_ij[member(threadIdx.y, r) * n + member(threadIdx.x, c)] -= sum[r][c];
}

/// Formula:   inverse = -A, both halves from the one above the diagonal; zero where `skipped`
/// Threads:   one block of 32x8 per square of 32x32 entries above the diagonal and on it
/// Bytes:     12 per entry
/// Determinism: each entry has one writer
__global__ void __launch_bounds__(square *square_rows)
  finish_kernel(double *__restrict__ A,
                const std::size_t n,
                const std::size_t used,
                const std::uint8_t *__restrict__ skipped)
{
  __shared__ double entries[square][square + 1];
  if (blockIdx.y > blockIdx.x)
    return;
  const std::size_t first = std::size_t(blockIdx.y) * square,
                    other = std::size_t(blockIdx.x) * square;
  const auto is_skipped   = [&](const std::size_t i) { return i < used && skipped[i] != 0; };
  for (int r = threadIdx.y; r < square; r += square_rows)
    entries[r][threadIdx.x] = is_skipped(first + r) || is_skipped(other + threadIdx.x)
                                ? 0.
                                : -A[(first + r) * n + other + threadIdx.x];
  __syncthreads();
  const int c = threadIdx.x;
  for (int r = threadIdx.y; r < square; r += square_rows)
    if (first < other)
      {
        A[(first + r) * n + other + c] = entries[r][c];
        A[(other + r) * n + first + c] = entries[c][r];
      }
    else
      A[(first + r) * n + first + c] = r < c ? entries[r][c] : entries[c][r];
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
    , B_(memory, std::size_t(n_tiles_) * tile * tile)
    , R_(memory, std::size_t(n_tiles_) * tile * tile)
    , ok_(memory, 1)
  {
    context_.activate();
    STRUT_CUDA_CHECK(cudaFuncSetAttribute(panel_kernel,
                                          cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          2 * sizeof(Tile)));
  }

  bool invert(const std::vector<double> &values) override
  {
    if (n_ == 0)
      return true;
    values_.copy_from_host(values);
    ok_.copy_from_host({1});
    scatter();
    const cudaStream_t stream = context_.activate();
    const std::size_t n       = std::size_t(n_tiles_) * tile;
    for (unsigned int k = 0; k < n_tiles_; ++k)
      {
        panel_kernel<<<n_tiles_, dim3(side, side), 2 * sizeof(Tile), stream>>>(
          A_.data(), n, k, D_.data(), B_.data(), R_.data(), ok_.data());
        STRUT_CUDA_CHECK_LAUNCH("panel_kernel");
        update_kernel<<<dim3(n_tiles_, n_tiles_), dim3(side, side), 0, stream>>>(
          A_.data(), n, k, D_.data(), B_.data(), R_.data());
        STRUT_CUDA_CHECK_LAUNCH("update_kernel");
      }
    const unsigned int n_squares = n_tiles_ * tile / square;
    finish_kernel<<<dim3(n_squares, n_squares), dim3(square, square_rows), 0, stream>>>(
      A_.data(), n, n_, skipped_.data());
    STRUT_CUDA_CHECK_LAUNCH("finish_kernel");
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

  /// The values to their places above the diagonal; ones on the diagonal beyond the matrix. (Public: it
  /// has a device lambda.)
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
      A[columns[e] * n + rows[e]] = values[e]; // for the tiles on the diagonal
    });
    parallel_for(context_, n - used, [=] __device__(const std::size_t i) {
      A[(used + i) * n + used + i] = 1.;
    });
  }

private:
  const Context &context_;
  const std::size_t n_;
  const unsigned int n_tiles_; ///< along a side
  Array<std::uint32_t> rows_, columns_;
  Array<std::uint8_t> skipped_;
  Array<double> values_;
  Array<double> A_;     ///< the matrix, then its inverse, `[64 n_tiles][64 n_tiles]`
  Array<double> D_;     ///< the inverse of the pivot tile
  Array<double> B_, R_; ///< panels, before and after the product with D
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
