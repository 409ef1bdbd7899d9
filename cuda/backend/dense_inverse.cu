// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/backend/tiles.cuh"
#include "cuda/base/parallel_loop.cuh"
#include "cuda/base/side_streams.h"

#include <algorithm>

namespace strut::cuda
{
namespace
{
constexpr int apply_block = 128;

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
/// Computes the block factor A = R^T D^-1 R of a symmetric positive definite matrix, R with ones on
/// the diagonal. The part of R in the band replaces A. The work is submitted, not waited for.
///
/// @param A  `[n][n]`, n = 64 ends.size(): the tiles of 64 x 64 above the diagonal and on it
/// @param ends  end of the band: the first tile to the right of the diagonal in which row k of R
///   has only zeros; never less than for the row before
/// @param D  the inverses of the pivot tiles, `[n / 64][64][64]`
/// @param panel  room for `[n / 64][64][64]`
/// @param ok  becomes 0 where a pivot is not positive
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

/// Formula:   row k of the inverse Z from the rows below: Z_kj = - sum over the band of R_m Z_mj, j
///            > k, and Z_jk = Z_kj^T.
/// Layout:    Z replaces A, and its rows and columns below k are complete; R `[64][width]`, the
///            band's part of row k.
/// Threads:   one block of 16x16 per tile j, 4x4 entries per thread.
/// Bytes:     16 per entry written; tiles of Z from the caches.
/// Flops:     2 width per entry.
/// Determinism: no sum depends on the order of threads.
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
  for (int half = 0; half < 2; ++half) // Each half has one half of the columns.
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

/// Formula:   Z_kk = D_k - sum over the band of R_m Z_km^T, the half above the diagonal and its
///            mirror.
/// Threads:   4x4 blocks of 16x16, one entry per thread.
/// Bytes:     16 per entry and column of the band, mostly from the caches.
/// Flops:     2 width per entry.
/// Determinism: no sum depends on the order of threads.
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

/// Formula:   y = inverse x, both in the numbers of the DoFs.
/// Threads:   one block per row. With one warp each lane would wait for 37 loads in turn for a
///            thousand DoFs.
/// Bytes:     8 n^2, x and the numbers from the caches.
/// Flops:     2 n^2.
/// Determinism: the order of the sum depends on n alone.
template <typename Number>
__global__ void __launch_bounds__(apply_block) apply_kernel(const double *__restrict__ inverse,
                                                            const std::size_t n_padded,
                                                            const std::size_t n,
                                                            const std::uint32_t *__restrict__ dofs,
                                                            const Number *__restrict__ x,
                                                            Number *__restrict__ y)
{
  const std::size_t row = blockIdx.x;
  double sum            = 0.;
#pragma unroll 4
  for (std::size_t column = threadIdx.x; column < n; column += apply_block)
    sum += inverse[row * n_padded + column] * static_cast<double>(x[dofs[column]]);
  sum = reduce_block<apply_block>(sum, Sum());
  if (threadIdx.x == 0)
    y[dofs[row]] = static_cast<Number>(sum);
}

/// Returns for each row of tiles the first column of tiles to its right in which the factor has
/// only zeros. The factor fills the band, row by row to the widest row so far.
std::vector<unsigned int> ends_of_band(const SymmetricSums &sums, const unsigned int n_tiles)
{
  std::vector<unsigned int> ends(n_tiles);
  for (unsigned int k = 0; k < n_tiles; ++k)
    ends[k] = k + 1;
  for (std::size_t e = 0; e < sums.rows.size(); ++e)
    {
      unsigned int &end = ends[sums.rows[e] / tile];
      end               = std::max(end, sums.columns[e] / tile + 1);
    }
  for (unsigned int k = 1; k < n_tiles; ++k)
    ends[k] = std::max(ends[k], ends[k - 1]);
  return ends;
}

template <typename Number>
class CudaDenseInverse : public DenseInverse<Number>
{
public:
  CudaDenseInverse(const Context &context, Memory &memory, const SymmetricSums &sums)
    : context_(context)
    , n_(sums.n)
    , n_tiles_(n_blocks(sums.n, tile))
    , ends_(ends_of_band(sums, n_tiles_))
    , rows_(memory, sums.rows)
    , columns_(memory, sums.columns)
    , dofs_(memory, sums.dofs)
    , skipped_(memory, sums.skipped)
    , summands_begin_(memory, sums.summands_begin)
    , summands_(memory, sums.summands)
    , weights_(memory, sums.weights)
    , A_(memory, std::size_t(n_tiles_) * tile * n_tiles_ * tile)
    , D_(memory, std::size_t(n_tiles_) * tile * tile)
    , panel_(memory, std::size_t(n_tiles_) * tile * tile)
    , ok_(memory, 1)
    , side_(context, 1)
  {}

  ~CudaDenseInverse() override
  {
    // Wait before the arrays are freed. No error leaves here, as in Context::release().
    cudaSetDevice(context_.device());
    cudaStreamSynchronize(side_.stream(0));
    cudaGetLastError();
  }

  CudaDenseInverse(const CudaDenseInverse &)            = delete;
  CudaDenseInverse &operator=(const CudaDenseInverse &) = delete;

  void begin(const Array<double> &numbers, const Array<Number> &springs) override
  {
    if (n_ == 0)
      return;
    side_.join(context_.activate()); // This joins a call whose end nobody has waited for.
    ok_.copy_from_host({1});
    A_.set_zero();
    const cudaStream_t side = side_.stream(0);
    side_.fork(context_.activate());
    sum(side, numbers, springs);
    factor_band(side, A_.data(), ends_, D_.data(), panel_.data(), ok_.data());
    substitute(side);
    clear_skipped(side);
  }

  bool finish() override
  {
    if (n_ == 0)
      return true;
    side_.join(context_.activate());
    return ok_.to_host()[0] == 1;
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    if (n_ == 0)
      return;
    apply_kernel<<<static_cast<unsigned int>(n_), apply_block, 0, context_.activate()>>>(
      A_.data(), std::size_t(n_tiles_) * tile, n_, dofs_.data(), x.data(), y.data());
    STRUT_CUDA_CHECK_LAUNCH("apply_kernel");
  }

  // These members are public as they have device lambdas.
  /// Formula:   A_ij = weighted sum of the entry's numbers; 1 where i = j is skipped, else its
  ///            spring added; ones on the diagonal beyond the matrix.
  /// Layout:    both halves, for the tiles on the diagonal.
  /// Threads:   one per entry.
  /// Bytes:     16 per entry and 16 written, 12 per summand: 14,592 DoFs of a box have 0.6 million
  ///            entries and 1.2 million summands; beside that n^2 zeros.
  /// Determinism: a thread sums its entry in the order of the summands.
  void sum(const cudaStream_t stream, const Array<double> &numbers, const Array<Number> &springs)
  {
    double *const A                    = A_.data();
    const double *const all            = numbers.data();
    const Number *const on_dofs        = springs.empty() ? nullptr : springs.data();
    const std::uint32_t *const rows    = rows_.data();
    const std::uint32_t *const columns = columns_.data();
    const std::uint32_t *const begin   = summands_begin_.data();
    const std::uint32_t *const summand = summands_.data();
    const double *const weights        = weights_.empty() ? nullptr : weights_.data();
    const std::uint32_t *const dofs    = dofs_.data();
    const std::uint8_t *const skipped  = skipped_.data();
    const std::size_t n = std::size_t(n_tiles_) * tile, used = n_;
    parallel_for(stream, rows_.size(), [=] __device__(const std::size_t e) {
      const std::size_t row = rows[e], column = columns[e];
      double value = 0.;
      for (std::uint32_t s = begin[e]; s < begin[e + 1]; ++s)
        value += (weights == nullptr ? 1. : weights[s]) * all[summand[s]];
      if (row == column)
        {
          if (skipped[row] != 0)
            value = 1.;
          else if (on_dofs != nullptr)
            value += static_cast<double>(on_dofs[dofs[row]]);
        }
      A[row * n + column] = value;
      A[column * n + row] = value;
    });
    parallel_for(stream, n - used, [=] __device__(const std::size_t i) {
      A[(used + i) * n + used + i] = 1.;
    });
  }

  /// Set skipped rows and columns to ones on the diagonal and zeros elsewhere.
  void clear_skipped(const cudaStream_t stream)
  {
    double *const A                   = A_.data();
    const std::uint8_t *const skipped = skipped_.data();
    const std::size_t n               = std::size_t(n_tiles_) * tile;
    parallel_for(stream, n_, [=] __device__(const std::size_t i) {
      if (skipped[i] != 0)
        A[i * n + i] = 0.;
    });
  }

private:
  /// Compute the inverse from the factor, from the last row of tiles to the first.
  void substitute(const cudaStream_t stream)
  {
    const std::size_t n = std::size_t(n_tiles_) * tile;
    for (unsigned int k = n_tiles_; k-- > 0;)
      {
        // Copy row k of the factor before the inverse replaces it.
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
  const unsigned int n_tiles_;           ///< tiles along a side
  const std::vector<unsigned int> ends_; ///< ends of the band, `[n_tiles]`
  Array<std::uint32_t> rows_, columns_, dofs_;
  Array<std::uint8_t> skipped_;
  Array<std::uint32_t> summands_begin_, summands_;
  Array<double> weights_; ///< weights of the summands; empty if all are 1
  Array<double> A_;       ///< the matrix, its factor or its inverse, `[64 n_tiles][64 n_tiles]`
  Array<double> D_;       ///< the inverses of the pivot tiles, `[n_tiles][64][64]`
  Array<double> panel_;   ///< the band of one row of tiles
  Array<int> ok_;
  /// Streams for the inversion, which runs beside other work: single blocks do most of it, one
  /// after another.
  SideStreams side_;
};
} // namespace

template <typename Number>
std::unique_ptr<DenseInverse<Number>>
make_dense_inverse(const Context &context, Memory &memory, const SymmetricSums &sums)
{
  return std::make_unique<CudaDenseInverse<Number>>(context, memory, sums);
}

template std::unique_ptr<DenseInverse<double>>
make_dense_inverse<double>(const Context &, Memory &, const SymmetricSums &);
template std::unique_ptr<DenseInverse<float>>
make_dense_inverse<float>(const Context &, Memory &, const SymmetricSums &);
} // namespace strut::cuda
