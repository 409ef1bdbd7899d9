// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/operators/element_teams.cuh"
#include "source/operators/strategy_pair.h"

namespace strut::cuda
{
namespace
{
/// Team of 64 threads. Thread 8a + b has the 3 x 3 block of the vertices a (rows) and b (columns),
/// row by row.
struct SixtyFourThreads
{
  static constexpr char launch[]      = "launch of ebe64_kernel";
  static constexpr double extra_flops = 168.;
  static constexpr int n_threads      = 64;
  static constexpr int n_elements     = 8;

  __device__ static constexpr int row(const int thread, const int entry)
  {
    return 3 * (thread / 8) + entry / 3;
  }
  __device__ static constexpr int column(const int thread, const int entry)
  {
    return 3 * (thread % 8) + entry % 3;
  }
  static MatrixLayout layout(const std::size_t n)
  {
    return {8, 192 * n, 1, 64 * n, 64};
  }
};

constexpr int ebe64_block_size = team_block_size<SixtyFourThreads>;

/// Formula:   y = sum_e P_e^T E_e K0_e P_e x (Ratnakar 2022, chapter 4); y must be zero before.
/// Layout:    matrices[3 i + j][element][8 a + b], i and j within the block of the vertices a and
///            b: coalesced; connectivity[8][element] and x staged in shared memory, 8 elements per
///            block.
/// Threads:   64 per element, a block of 3 x 3 each; the eight threads of a row of blocks,
///            neighbours in a warp, add their results by shuffles, and three of them write.
/// Bytes:     per element, 576 numbers of the matrix, 8 node numbers, the factor; x and y, 24
///            numbers each, mostly through the caches.
/// Flops:     per element, 1152 + 168 in the reduction + 24; 24 atomic additions.
/// Determinism: none, the order of the additions to a node is that of the hardware.
template <typename Number>
__global__ void __launch_bounds__(ebe64_block_size)
  ebe64_kernel(const ElementsView<Number> elements,
               const Number *__restrict__ x,
               Number *__restrict__ y)
{
  __shared__ StagedElements<Number, SixtyFourThreads> staged;
  const TeamThread<SixtyFourThreads> at;
  const bool active = at.e < elements.n_elements; // The value is the same for a whole warp.

  // These loads are in flight while the block stages the rest.
  constexpr int n_entries = team_entries<SixtyFourThreads>;
  Number entries[n_entries];
#pragma unroll
  for (int k = 0; k < n_entries; ++k)
    entries[k] = active ? at.entries(elements)[k * at.entry_stride(elements)] : Number(0);
  staged.load(elements, at.first, x);
  if (!active)
    return;

  const int a = at.thread / 8, b = at.thread % 8;
  Number sum[3] = {};
#pragma unroll
  for (int i = 0; i < 3; ++i)
    {
#pragma unroll
      for (int j = 0; j < 3; ++j)
        sum[i] += entries[3 * i + j] * staged.x[at.local][3 * b + j];
#pragma unroll
      for (int distance = 4; distance > 0; distance /= 2)
        sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], distance);
    }
  if (b < 3)
    {
      const Number value = b == 0 ? sum[0] : b == 1 ? sum[1] : sum[2];
      atomicAdd(y + (3 * std::size_t(staged.nodes[a][at.local]) + b),
                elements.stiffness[at.e] * value);
    }
}

/// Operator element by element with 64 threads each and full element matrices.
template <typename Number>
using Ebe64 = TeamOperator<Number, SixtyFourThreads, ebe64_kernel<Number>>;
} // namespace

/// The strategy `ebe64`: 64 threads per element, a block of 3 x 3 each.
StrategyPair ebe64()
{
  return strategy_pair<Ebe64>(
    "ebe64",
    "64 threads per element, a 3 x 3 block of its full matrix each, writes by atomics",
    false);
}
} // namespace strut::cuda
