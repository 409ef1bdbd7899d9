// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/operators/element_teams.cuh"
#include "source/operators/strategy_pair.h"

namespace strut::cuda
{
namespace
{
/// Team of eight threads. Thread a has the rows 3a, 3a + 1, 3a + 2; its entry 3 column + i is in
/// row 3a + i.
struct EightThreads
{
  static constexpr char launch[]      = "launch of ebe8_kernel";
  static constexpr double extra_flops = 0.;
  static constexpr int n_threads      = 8;
  static constexpr int n_elements     = 32;

  __device__ static constexpr int row(const int thread, const int entry)
  {
    return 3 * thread + entry % 3;
  }
  __device__ static constexpr int column(int, const int entry)
  {
    return entry / 3;
  }
  static MatrixLayout layout(const std::size_t n)
  {
    return {1, 8 * n, 72 * n, 24 * n, 8};
  }
};

constexpr int ebe8_block_size = team_block_size<EightThreads>;
/// Blocks of a multiprocessor. With 64 registers enough loads are in flight.
constexpr int ebe8_min_blocks = 4;

/// Formula:   y = sum_e P_e^T E_e K0_e P_e x (Ratnakar 2022, chapter 4); y must be zero before.
/// Layout:    matrices[3 column + i][element][vertex], i the row within the vertex: coalesced;
///            connectivity[8][element] and x staged in shared memory, 32 elements per block.
/// Threads:   8 per element, each the three rows of one vertex.
/// Bytes:     per element, 576 numbers of the matrix, 8 node numbers, the factor; x and y, 24
///            numbers each, mostly through the caches.
/// Flops:     per element, 1176; 24 atomic additions.
/// Determinism: none, the order of the additions to a node is that of the hardware.
template <typename Number>
__global__ void __launch_bounds__(ebe8_block_size, ebe8_min_blocks)
  ebe8_kernel(const ElementsView<Number> elements,
              const Number *__restrict__ x,
              Number *__restrict__ y)
{
  __shared__ StagedElements<Number, EightThreads> staged;
  const TeamThread<EightThreads> at;
  staged.load(elements, at.first, x);
  if (at.e >= elements.n_elements)
    return;

  const Number *const entries = at.entries(elements);
  const std::size_t stride    = at.entry_stride(elements);
  Number sum[3]               = {};
#pragma unroll
  for (int column = 0; column < 24; ++column)
    {
      const Number value = staged.x[at.local][column];
#pragma unroll
      for (int i = 0; i < 3; ++i)
        sum[i] += entries[(3 * column + i) * stride] * value;
    }

  const Number factor   = elements.stiffness[at.e];
  const std::size_t dof = 3 * std::size_t(staged.nodes[at.thread][at.local]);
#pragma unroll
  for (int i = 0; i < 3; ++i)
    atomicAdd(y + dof + i, factor * sum[i]);
}

/// Operator element by element with eight threads each and full element matrices.
template <typename Number>
using Ebe8 = TeamOperator<Number, EightThreads, ebe8_kernel<Number>>;
} // namespace

/// The strategy `ebe8`: 8 threads per element, 3 rows each.
StrategyPair ebe8()
{
  return strategy_pair<Ebe8>(
    "ebe8", "8 threads per element, 3 rows of its full matrix each, writes by atomics", false);
}
} // namespace strut::cuda
