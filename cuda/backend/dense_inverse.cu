// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"

#include <algorithm>

namespace strut::cuda
{
namespace
{
constexpr int tile            = 64;          ///< rows and columns of a tile
constexpr int depth           = 32;          ///< of a product of tiles that shared memory holds
constexpr int side            = 16;          ///< threads along a side of a tile
constexpr int per_thread      = tile / side; ///< rows, and columns, of a thread
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

/// Formula:   step k of the block factor A = R^T D^-1 R, first half: D_k = A_kk^-1, B_j = A_kj,
///            R_j = A_kj = D_k B_j for the tiles j of the band, k < j < k + gridDim.x
/// Layout:    A `[n][n]`, n a multiple of 64, tiles above the diagonal and on it; B
///            `[gridDim.x - 1][64][64]`; D_k `[64][64]`
/// Threads:   one block of 16x16 per tile, 16 entries per thread; all blocks invert the pivot tile
/// Bytes:     24 per entry of the panel
/// Flops:     128 per entry of R
/// Determinism: no sum depends on an order of threads
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

/// sum += left^T right, over the rows of both.
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

/// Formula:   second half: A_ij -= B_i^T R_j for the tiles k < i <= j of the band
/// Threads:   one block of 16x16 per tile, 4x4 entries per thread; blocks below the diagonal have none
/// Bytes:     16 per entry, tiles of the panels from the caches
/// Flops:     128 per entry
/// Determinism: no sum depends on an order of threads
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

/// Formula:   row k of the inverse Z from the rows below: Z_kj = - sum over the band of R_m Z_mj, j > k,
///            and Z_jk = Z_kj^T
/// Layout:    Z in the place of A, its rows and columns below k whole; R `[64][width]`, the band's part
///            of row k
/// Threads:   one block of 16x16 per tile j, 4x4 entries per thread
/// Bytes:     16 per entry written; tiles of Z from the caches
/// Flops:     2 width per entry
/// Determinism: no sum depends on an order of threads
__global__ void __launch_bounds__(side *side) row_kernel(double *__restrict__ A,
                                                         const std::size_t n,
                                                         const int k,
                                                         const double *__restrict__ R,
                                                         const int width)
{
  // Columns beyond those used keep transposed accesses in different banks.
  __shared__ double right[depth][tile];
  __shared__ union
  {
    double left[depth][tile + 1];
    double result[tile][tile / 2 + 1];
  } room;
  const std::size_t row = std::size_t(k) * tile, below = row + tile,
                    j                = below + std::size_t(blockIdx.x) * tile;
  double sum[per_thread][per_thread] = {};
  for (int first = 0; first < width; first += depth)
    {
      for (int r = threadIdx.y; r < tile; r += side)
        for (int l = threadIdx.x; l < depth; l += side)
          room.left[l][r] = R[std::size_t(r) * width + first + l];
      for (int l = threadIdx.y; l < depth; l += side)
        for (int c = threadIdx.x; c < tile; c += side)
          right[l][c] = A[(below + first + l) * n + j + c];
      __syncthreads();
      add_product(sum, room.left, right);
      __syncthreads();
    }
#pragma unroll
  for (int r = 0; r < per_thread; ++r)
#pragma unroll
    for (int c = 0; c < per_thread; ++c)
      A[(row + member(threadIdx.y, r)) * n + j + member(threadIdx.x, c)] = -sum[r][c];
#pragma unroll
  for (int half = 0; half < 2; ++half) // of the columns
    {
#pragma unroll
      for (int r = 0; r < per_thread; ++r)
#pragma unroll
        for (int c = 0; c < per_thread / 2; ++c)
          room.result[member(threadIdx.y, r)][member(threadIdx.x, c)] =
            -sum[r][c + half * per_thread / 2];
      __syncthreads();
      for (int c = threadIdx.y; c < tile / 2; c += side)
        for (int r = threadIdx.x; r < tile; r += side)
          A[(j + half * tile / 2 + c) * n + row + r] = room.result[r][c];
      __syncthreads();
    }
}

/// Formula:   Z_kk = D_k - sum over the band of R_m Z_km^T, the half above the diagonal and its mirror
/// Threads:   4x4 blocks of 16x16, one entry per thread
/// Bytes:     16 per entry and column of the band, mostly from the caches
/// Flops:     2 width per entry
/// Determinism: no sum depends on an order of threads
__global__ void __launch_bounds__(side *side) diagonal_kernel(double *__restrict__ A,
                                                              const std::size_t n,
                                                              const int k,
                                                              const double *__restrict__ D_k,
                                                              const double *__restrict__ R,
                                                              const int width)
{
  __shared__ double left[side][side + 1], right[side][side + 1];
  if (blockIdx.y > blockIdx.x)
    return;
  const int r = blockIdx.y * side + threadIdx.y, c = blockIdx.x * side + threadIdx.x;
  const std::size_t first  = std::size_t(k) * tile;
  const double *const Z_km = A + first * n + first + tile;
  double sum               = D_k[r * tile + c];
  for (int l = 0; l < width; l += side)
    {
      left[threadIdx.y][threadIdx.x] = R[std::size_t(r) * width + l + threadIdx.x];
      right[threadIdx.y][threadIdx.x] =
        Z_km[(blockIdx.x * side + threadIdx.y) * n + l + threadIdx.x];
      __syncthreads();
#pragma unroll
      for (int m = 0; m < side; ++m)
        sum -= left[threadIdx.y][m] * right[threadIdx.x][m];
      __syncthreads();
    }
  if (r <= c)
    A[(first + r) * n + first + c] = A[(first + c) * n + first + r] = sum;
}

/// Formula:   y = inverse x, both in the numbers of the DoFs
/// Threads:   one warp per row
/// Bytes:     8 n^2, x and the numbers from the caches
template <typename Number>
__global__ void __launch_bounds__(apply_block) apply_kernel(const double *__restrict__ inverse,
                                                            const std::size_t n_padded,
                                                            const std::size_t n,
                                                            const std::uint32_t *__restrict__ dofs,
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
    sum += inverse[row * n_padded + column] * static_cast<double>(x[dofs[column]]);
  for (int offset = threads_per_row / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    y[dofs[row]] = static_cast<Number>(sum);
}

/// For each row of tiles the first column of tiles to its right in which the factor has only zeros:
/// it fills the band, row by row to the widest row so far.
std::vector<unsigned int> ends_of_band(const SymmetricPattern &pattern, const unsigned int n_tiles)
{
  std::vector<unsigned int> ends(n_tiles);
  for (unsigned int k = 0; k < n_tiles; ++k)
    ends[k] = k + 1;
  for (std::size_t e = 0; e < pattern.rows.size(); ++e)
    {
      unsigned int &end = ends[pattern.rows[e] / tile];
      end               = std::max(end, pattern.columns[e] / tile + 1);
    }
  for (unsigned int k = 1; k < n_tiles; ++k)
    ends[k] = std::max(ends[k], ends[k - 1]);
  return ends;
}

template <typename Number>
class CudaDenseInverse : public DenseInverse<Number>
{
public:
  CudaDenseInverse(const Context &context, Memory &memory, const SymmetricPattern &pattern)
    : context_(context)
    , n_(pattern.n)
    , n_tiles_(n_blocks(pattern.n, tile))
    , ends_(ends_of_band(pattern, n_tiles_))
    , rows_(memory, pattern.rows)
    , columns_(memory, pattern.columns)
    , dofs_(memory, pattern.dofs)
    , skipped_(memory, pattern.skipped)
    , values_(memory, pattern.rows.size())
    , A_(memory, std::size_t(n_tiles_) * tile * n_tiles_ * tile)
    , D_(memory, std::size_t(n_tiles_) * tile * tile)
    , panel_(memory, std::size_t(n_tiles_) * tile * tile)
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
    factor();
    substitute();
    clear_skipped();
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
      A_.data(), std::size_t(n_tiles_) * tile, n_, dofs_.data(), x.data(), y.data());
    STRUT_CUDA_CHECK_LAUNCH("apply_kernel");
  }

  // (Public: they have device lambdas.)
  /// The values to their places above the diagonal; ones on the diagonal beyond the matrix.
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

  /// Skipped rows and columns have ones on the diagonal, and nothing else.
  void clear_skipped()
  {
    double *const A                   = A_.data();
    const std::uint8_t *const skipped = skipped_.data();
    const std::size_t n               = std::size_t(n_tiles_) * tile;
    parallel_for(context_, n_, [=] __device__(const std::size_t i) {
      if (skipped[i] != 0)
        A[i * n + i] = 0.;
    });
  }

private:
  /// The block factor, in the band above the diagonal.
  void factor()
  {
    const cudaStream_t stream = context_.activate();
    const std::size_t n       = std::size_t(n_tiles_) * tile;
    for (unsigned int k = 0; k < n_tiles_; ++k)
      {
        const unsigned int n_band = ends_[k] - k - 1;
        panel_kernel<<<1 + n_band, dim3(side, side), 2 * sizeof(Tile), stream>>>(
          A_.data(), n, k, D_.data() + std::size_t(k) * tile * tile, panel_.data(), ok_.data());
        STRUT_CUDA_CHECK_LAUNCH("panel_kernel");
        if (n_band == 0)
          continue;
        update_kernel<<<dim3(n_band, n_band), dim3(side, side), 0, stream>>>(A_.data(),
                                                                             n,
                                                                             k,
                                                                             panel_.data());
        STRUT_CUDA_CHECK_LAUNCH("update_kernel");
      }
  }

  /// The inverse from the factor, from the last row of tiles to the first.
  void substitute()
  {
    const cudaStream_t stream = context_.activate();
    const std::size_t n       = std::size_t(n_tiles_) * tile;
    for (unsigned int k = n_tiles_; k-- > 0;)
      {
        // Row k of the factor, before the inverse takes its place.
        const std::size_t width = std::size_t(ends_[k] - k - 1) * tile;
        if (width > 0)
          STRUT_CUDA_CHECK(cudaMemcpy2DAsync(panel_.data(),
                                             width * sizeof(double),
                                             A_.data() + k * tile * n + (k + 1) * tile,
                                             n * sizeof(double),
                                             width * sizeof(double),
                                             tile,
                                             cudaMemcpyDeviceToDevice,
                                             stream));
        if (k + 1 < n_tiles_)
          {
            row_kernel<<<n_tiles_ - k - 1, dim3(side, side), 0, stream>>>(
              A_.data(), n, k, panel_.data(), static_cast<int>(width));
            STRUT_CUDA_CHECK_LAUNCH("row_kernel");
          }
        diagonal_kernel<<<dim3(tile / side, tile / side), dim3(side, side), 0, stream>>>(
          A_.data(),
          n,
          k,
          D_.data() + std::size_t(k) * tile * tile,
          panel_.data(),
          static_cast<int>(width));
        STRUT_CUDA_CHECK_LAUNCH("diagonal_kernel");
      }
  }

  const Context &context_;
  const std::size_t n_;
  const unsigned int n_tiles_;           ///< along a side
  const std::vector<unsigned int> ends_; ///< of the band, `[n_tiles]`
  Array<std::uint32_t> rows_, columns_, dofs_;
  Array<std::uint8_t> skipped_;
  Array<double> values_;
  Array<double> A_;     ///< the matrix, its factor, its inverse, `[64 n_tiles][64 n_tiles]`
  Array<double> D_;     ///< the inverses of the pivot tiles, `[n_tiles][64][64]`
  Array<double> panel_; ///< the band of one row of tiles
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
