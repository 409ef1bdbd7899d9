// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/operators/element_teams.cuh"
#include "source/operators/strategy_pair.h"

namespace strut::cuda
{
namespace
{
/// Team of 24 threads. Thread i has row i; its entries are the columns.
struct TwentyFourThreads
{
  static constexpr char launch[]      = "launch of ebe24_kernel";
  static constexpr double extra_flops = 0.;
  static constexpr int n_threads      = 24;
  static constexpr int n_elements     = 21; ///< 504 threads, the most below 512

  __device__ static constexpr int row(const int thread, int)
  {
    return thread;
  }
  __device__ static constexpr int column(int, const int entry)
  {
    return entry;
  }
  static MatrixLayout layout(const std::size_t n)
  {
    return {3, 1, 72 * n, 24 * n, 24};
  }
};

constexpr int ebe24_block_size = team_block_size<TwentyFourThreads>;
/// Blocks of a multiprocessor. With 64 registers enough loads are in flight.
constexpr int ebe24_min_blocks = 2;

/// Formula:   y = sum_e P_e^T E_e K0_e P_e x (Ratnakar 2022, chapter 4); y must be zero before.
/// Layout:    matrices[column][element][row]: coalesced; connectivity[8][element] and x staged in
///            shared memory, 21 elements per block.
/// Threads:   24 per element, a row each; warps straddle elements, 504 threads per block.
/// Bytes:     per element, 576 numbers of the matrix, 8 node numbers, the factor; x and y, 24
///            numbers each, mostly through the caches.
/// Flops:     per element, 1176; 24 atomic additions.
/// Determinism: none, the order of the additions to a node is that of the hardware.
template <typename Number>
__global__ void __launch_bounds__(ebe24_block_size, ebe24_min_blocks)
  ebe24_kernel(const ElementsView<Number> elements,
               const Number *__restrict__ x,
               Number *__restrict__ y)
{
  __shared__ StagedElements<Number, TwentyFourThreads> staged;
  const TeamThread<TwentyFourThreads> at;
  staged.load(elements, at.first, x);
  if (at.e >= elements.n_elements)
    return;

  const Number *const entries = at.entries(elements);
  const std::size_t stride    = at.entry_stride(elements);
  Number sum                  = 0;
#pragma unroll
  for (int column = 0; column < 24; ++column)
    sum += entries[column * stride] * staged.x[at.local][column];

  const std::size_t node = staged.nodes[at.thread / 3][at.local];
  atomicAdd(y + (3 * node + at.thread % 3), elements.stiffness[at.e] * sum);
}

/// Operator element by element with 24 threads each and full element matrices.
template <typename Number>
using Ebe24 = TeamOperator<Number, TwentyFourThreads, ebe24_kernel<Number>>;
} // namespace

/// The strategy `ebe24`: 24 threads per element, a row each.
StrategyPair ebe24()
{
  return strategy_pair<Ebe24>(
    "ebe24", "24 threads per element, a row of its full matrix each, writes by atomics", false);
}
} // namespace strut::cuda
