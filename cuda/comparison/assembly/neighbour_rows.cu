// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/parallel_loop.cuh"
#include "cuda/base/thrust_policy.cuh"
#include "cuda/comparison/assembly/element_lists.h"
#include "cuda/comparison/assembly/neighbour_rows.h"

#include <thrust/scan.h>

namespace strut::cuda
{
namespace
{
constexpr int warp_size       = 32;
constexpr int rows_block_size = 128;

/// Formula:   nodes[begin[r] + k] = lists[npe incidence_begin[r] + k], k < begin[r + 1] - begin[r].
/// Threads:   one warp per node.
/// Bytes:     4 per neighbour read and written, 20 per node read.
/// Determinism: every entry has one writer.
__global__ void __launch_bounds__(rows_block_size)
  collect_kernel(const std::size_t n_nodes,
                 const std::size_t npe,
                 const LocalIndex *__restrict__ incidence_begin,
                 const LocalIndex *__restrict__ lists,
                 const std::uint64_t *__restrict__ begin,
                 LocalIndex *__restrict__ nodes)
{
  const std::size_t node = thread_number() / warp_size;
  if (node >= n_nodes)
    return;
  const LocalIndex *const row = lists + npe * incidence_begin[node];
  for (std::uint64_t k = begin[node] + threadIdx.x % warp_size; k < begin[node + 1]; k += warp_size)
    nodes[k] = row[k - begin[node]];
}
} // namespace

/// Formula:   lists[k npe + b] = node b of the element of incidence k.
/// Threads:   one per entry: neighbouring threads write neighbouring words.
/// Bytes:     4 read and 4 written an entry; the connectivity mostly from the caches.
/// Determinism: every entry has one writer.
void copy_lists(const RowTask &task, LocalIndex *const lists)
{
  const LocalIndex *const nodes      = task.connectivity.nodes.data();
  const LocalIndex *const incidences = task.result.incidences.data();
  const std::size_t n_elements       = task.connectivity.n_elements;
  const std::size_t n_local          = task.nodes_per_element();
  parallel_for(task.context, task.n_listed(), [=] __device__(const std::size_t t) {
    const LocalIndex element = incidences[t / n_local] / static_cast<LocalIndex>(n_local);
    lists[t]                 = nodes[t % n_local * n_elements + element];
  });
}

void collect_rows(const RowTask &task, const LocalIndex *const lists)
{
  NeighbourMatrix &result    = task.result;
  const std::size_t n        = result.n_nodes;
  std::uint64_t *const begin = result.begin.data();
  timed_step(task.backend, task.report, "scan", 2. * sizeof(std::uint64_t) * n, [&]() {
    with_thrust(task.context, task.scratch, [&](const auto &policy) {
      thrust::inclusive_scan(policy, begin, begin + n + 1, begin);
    });
    result.longest_row = longest_range(task.context, task.scratch, result.begin, n);
  });
  Memory &memory = task.backend.memory();
  memory.copy_to_host(&result.n_pairs, begin + n, sizeof result.n_pairs);
  result.nodes     = Array<LocalIndex>(memory, result.n_pairs);
  const double out = sizeof(LocalIndex) * static_cast<double>(result.n_pairs);
  timed_step(task.backend, task.report, "rows", 2. * out, [&]() {
    collect_kernel<<<n_blocks(warp_size * n, rows_block_size),
                     rows_block_size,
                     0,
                     task.context.activate()>>>(n,
                                                task.nodes_per_element(),
                                                result.incidence_begin.data(),
                                                lists,
                                                begin,
                                                result.nodes.data());
    STRUT_CUDA_CHECK_LAUNCH("collect_kernel");
  });
  task.context.synchronize(); // The lists must stay until the work is done.
}
} // namespace strut::cuda
