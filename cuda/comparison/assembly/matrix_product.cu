// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/assembly_parts.h"
#include "cuda/comparison/assembly/diagonal_blocks.cuh"

namespace strut::cuda
{
namespace
{
constexpr int warp_size          = 32;
constexpr int product_block_size = 128;

/// Formula:   y_n = sum_k K_nk x_k, three rows at once.
/// Layout:    values in compressed rows: those of a node are consecutive, each 3 m long. Columns
///            are those of the m neighbours, so one number serves nine entries.
/// Threads:   one warp per node; a lane has a column of the three rows.
/// Bytes:     9 m numbers and 4 m of neighbours a node, 8 of the beginning of the row; x (from the
///            caches), y.
/// Flops:     18 m a node.
/// Determinism: sums over lanes in a fixed order.
template <typename Number>
__global__ void __launch_bounds__(product_block_size) csr_kernel(const std::size_t n_nodes,
                                                                 const NeighbourView neighbours,
                                                                 const Number *__restrict__ values,
                                                                 const Number *__restrict__ x,
                                                                 Number *__restrict__ y)
{
  const std::size_t node  = thread_number() / warp_size;
  const unsigned int lane = threadIdx.x % warp_size;
  if (node >= n_nodes)
    return;
  const std::uint64_t begin     = neighbours.begin[node];
  const unsigned int length     = 3 * static_cast<unsigned int>(neighbours.begin[node + 1] - begin);
  const LocalIndex *const nodes = neighbours.nodes + begin;
  const Number *const rows      = values + 9 * begin;
  Number sum[3]                 = {};
  for (unsigned int c = lane; c < length; c += warp_size)
    {
      const Number value = x[3 * std::size_t(nodes[c / 3]) + c % 3];
#pragma unroll
      for (unsigned int i = 0; i < 3; ++i)
        sum[i] += rows[i * length + c] * value;
    }
#pragma unroll
  for (int offset = warp_size / 2; offset > 0; offset /= 2)
    for (int i = 0; i < 3; ++i)
      sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], offset);
  if (lane < 3)
    y[3 * node + lane] = lane == 0 ? sum[0] : lane == 1 ? sum[1] : sum[2];
}

/// Formula:   y_i = sum_k values[k][i] x[columns[k][i]].
/// Layout:    column-major: neighbouring threads read neighbouring words; padding is zero times
///            x_i.
/// Threads:   one per row.
/// Bytes:     a number and a column for each of `width` entries, padding included; x (from the
///            caches), y.
/// Flops:     2 width.
/// Determinism: one thread per row.
template <typename Number>
__global__ void __launch_bounds__(product_block_size)
  ell_kernel(const std::size_t n_rows,
             const std::size_t width,
             const LocalIndex *__restrict__ columns,
             const Number *__restrict__ values,
             const Number *__restrict__ x,
             Number *__restrict__ y)
{
  const std::size_t row = thread_number();
  if (row >= n_rows)
    return;
  Number sum = 0;
#pragma unroll 4
  for (std::size_t k = 0; k < width; ++k)
    sum += values[k * n_rows + row] * x[columns[k * n_rows + row]];
  y[row] = sum;
}

template <typename Number>
class CudaMatrixProduct : public MatrixProduct<Number>
{
public:
  CudaMatrixProduct(Backend &backend, const GeneratedMatrix<Number> &matrix)
    : context_(context_of(backend)), matrix_(matrix)
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    if (matrix_.pattern.format == MatrixFormat::ell)
      ell_product(context_, matrix_.pattern, matrix_.values, x, y);
    else
      csr_product(context_, matrix_.neighbours, matrix_.values, x, y);
  }

  void diagonal(Array<Number> &d) const override
  {
    Number *const out = d.data();
    for_diagonal_blocks(
      context_,
      matrix_,
      [=] __device__(const std::size_t node, const int i, const int j, const Number k) {
        if (i == j)
          out[3 * node + i] = k;
      });
  }

private:
  const Context &context_;
  const GeneratedMatrix<Number> matrix_;
};
} // namespace

template <typename Number>
void csr_product(const Context &context,
                 const NeighbourMatrix &neighbours,
                 const Array<Number> &values,
                 const Array<Number> &x,
                 Array<Number> &y)
{
  if (neighbours.n_nodes == 0)
    return;
  csr_kernel<<<n_blocks(warp_size * neighbours.n_nodes, product_block_size),
               product_block_size,
               0,
               context.activate()>>>(
    neighbours.n_nodes, neighbours.view(), values.data(), x.data(), y.data());
  STRUT_CUDA_CHECK_LAUNCH("csr_kernel");
}

template <typename Number>
void ell_product(const Context &context,
                 const SparsePattern &pattern,
                 const Array<Number> &values,
                 const Array<Number> &x,
                 Array<Number> &y)
{
  if (pattern.n_rows == 0)
    return;
  ell_kernel<<<n_blocks(pattern.n_rows, product_block_size),
               product_block_size,
               0,
               context.activate()>>>(
    pattern.n_rows, pattern.width, pattern.columns.data(), values.data(), x.data(), y.data());
  STRUT_CUDA_CHECK_LAUNCH("ell_kernel");
}

template <typename Number>
std::unique_ptr<MatrixProduct<Number>> make_product(Backend &backend,
                                                    const GeneratedMatrix<Number> &matrix)
{
  return std::make_unique<CudaMatrixProduct<Number>>(backend, matrix);
}

template decltype(csr_product<double>) csr_product<double>;
template decltype(csr_product<float>) csr_product<float>;
template decltype(ell_product<double>) ell_product<double>;
template decltype(ell_product<float>) ell_product<float>;
template decltype(make_product<double>) make_product<double>;
template decltype(make_product<float>) make_product<float>;
} // namespace strut::cuda
