// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/operators/assembled_matrix.cuh"
#include "source/operators/strategy_pair.h"

namespace strut::cuda
{
namespace
{
constexpr int warp_size          = 32;
constexpr int product_block_size = 128;

/// Formula:   y_n = sum_k K_nk x_k, three rows at once
/// Layout:    values in compressed rows: those of a node are consecutive, each 3 m long. Columns
///            are those of the m neighbours, so one number serves nine entries
/// Threads:   one warp per node; a lane has a column of the three rows
/// Bytes:     9 m numbers and 4 m of neighbours a node, 8 of the begin; x (from the caches), y
/// Flops:     18 m a node
/// Determinism: sums over lanes in a fixed order
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

/// Formula:   y_i = sum_k values[k][i] x[columns[k][i]]
/// Layout:    column-major: neighbouring threads read neighbouring words; padding is zero times x_i
/// Threads:   one per row
/// Bytes:     a number and a column for each of `width` entries, padding included; x (from the caches), y
/// Flops:     2 width
/// Determinism: one thread per row
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
class Assembled : public AssembledMatrix<Number>
{
public:
  Assembled(Backend &backend, const ElementMesh &mesh, const Material &material)
    : AssembledMatrix<Number>(backend, mesh, material, MatrixFormat::csr, false)
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    const std::size_t n = this->neighbours_.n_nodes;
    if (n == 0)
      return;
    csr_kernel<<<n_blocks(warp_size * n, product_block_size),
                 product_block_size,
                 0,
                 this->context_.activate()>>>(
      n, this->neighbours_.view(), this->values_.data(), x.data(), y.data());
    STRUT_CUDA_CHECK_LAUNCH("csr_kernel");
  }

  OperatorCost cost() const override
  {
    const double n       = static_cast<double>(this->neighbours_.n_nodes);
    const double n_pairs = static_cast<double>(this->neighbours_.n_pairs);
    OperatorCost cost;
    cost.bytes_per_apply = (9. * sizeof(Number) + sizeof(LocalIndex)) * n_pairs +
                           (sizeof(std::uint64_t) + 6. * sizeof(Number)) * n;
    cost.flops_per_apply = 18. * n_pairs;
    cost.memory_bytes    = this->common_memory_bytes() + 9. * sizeof(Number) * n_pairs;
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return AssembledMatrix<Number>::common_memory_estimate(n_elements, n_nodes) +
           9. * sizeof(Number) * AssembledMatrix<Number>::n_pairs_estimate(n_elements, n_nodes);
  }
};

template <typename Number>
class AssembledEll : public AssembledMatrix<Number>
{
public:
  AssembledEll(Backend &backend, const ElementMesh &mesh, const Material &material)
    : AssembledMatrix<Number>(backend, mesh, material, MatrixFormat::ell, true)
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    const SparsePattern &pattern = this->pattern_;
    if (pattern.n_rows == 0)
      return;
    ell_kernel<<<n_blocks(pattern.n_rows, product_block_size),
                 product_block_size,
                 0,
                 this->context_.activate()>>>(pattern.n_rows,
                                              pattern.width,
                                              pattern.columns.data(),
                                              this->values_.data(),
                                              x.data(),
                                              y.data());
    STRUT_CUDA_CHECK_LAUNCH("ell_kernel");
  }

  OperatorCost cost() const override
  {
    const double n_stored = static_cast<double>(this->pattern_.n_stored);
    const double matrix   = (sizeof(Number) + sizeof(LocalIndex)) * n_stored;
    OperatorCost cost;
    cost.bytes_per_apply =
      matrix + 2. * sizeof(Number) * static_cast<double>(this->pattern_.n_rows);
    cost.flops_per_apply = 2. * n_stored;
    cost.memory_bytes    = this->common_memory_bytes() + matrix;
    return cost;
  }

  /// For meshes whose nodes have at most 27 neighbours, themselves included.
  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return AssembledMatrix<Number>::common_memory_estimate(n_elements, n_nodes) +
           243. * (sizeof(Number) + sizeof(LocalIndex)) * static_cast<double>(n_nodes);
  }
};

} // namespace

/// The strategy `assembled`: the matrix in compressed rows, made on the device in three stages
/// (Sanfui and Sharma 2020).
StrategyPair assembled()
{
  return strategy_pair<Assembled>(
    "assembled", "global matrix in compressed rows, made on the device; 1 warp per node", true);
}

/// The strategy `assembled_ell`: the same in ELL, column-major.
StrategyPair assembled_ell()
{
  return strategy_pair<AssembledEll>(
    "assembled_ell",
    "global matrix in ELL, column-major, made on the device; 1 thread per row",
    true);
}
} // namespace strut::cuda
