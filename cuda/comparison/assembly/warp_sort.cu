// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/parallel_loop.cuh"
#include "cuda/comparison/assembly/neighbour_rows.h"

namespace strut::cuda
{
namespace
{
constexpr int warp_size       = 32;
constexpr int rows_block_size = 128;
constexpr int warps_per_block = rows_block_size / warp_size;

/// Returns the smallest power of two that is at least n and a warp.
__host__ __device__ unsigned int power_of_two(const unsigned int n)
{
  unsigned int power = warp_size;
  while (power < n)
    power *= 2;
  return power;
}

/// Sorts `size` numbers, a power of two, with the threads of a warp by the bitonic network.
__device__ void
sort_in_warp(LocalIndex *const list, const unsigned int size, const unsigned int lane)
{
  for (unsigned int run = 2; run <= size; run *= 2)
    for (unsigned int distance = run / 2; distance > 0; distance /= 2)
      {
        __syncwarp();
        for (unsigned int t = lane; t < size / 2; t += warp_size)
          {
            const unsigned int low  = 2 * t - (t & (distance - 1));
            const unsigned int high = low + distance;
            const LocalIndex a = list[low], b = list[high];
            if ((a > b) == ((low & run) == 0))
              {
                list[low]  = b;
                list[high] = a;
              }
          }
      }
  __syncwarp();
}

/// Formula:   row of a node = the different nodes of its elements, ascending.
/// Layout:    rows at npe incidence_begin[node].
/// Threads:   one warp per node; its list in shared memory.
/// Bytes:     per incidence, 4 of the element list and 4 npe of the connectivity, mostly from the
///            caches; 4 per neighbour and 8 per node written.
/// Determinism: one warp per row.
__global__ void __launch_bounds__(rows_block_size)
  rows_kernel(const std::size_t n_nodes,
              const std::size_t n_elements,
              const unsigned int npe,
              const unsigned int capacity,
              const LocalIndex *__restrict__ connectivity,
              const LocalIndex *__restrict__ incidence_begin,
              const LocalIndex *__restrict__ incidences,
              LocalIndex *__restrict__ rows,
              std::uint64_t *__restrict__ lengths)
{
  extern __shared__ LocalIndex lists[];
  const std::size_t node  = thread_number() / warp_size;
  const unsigned int lane = threadIdx.x % warp_size;
  if (node >= n_nodes)
    return;
  LocalIndex *const list    = lists + threadIdx.x / warp_size * capacity;
  const LocalIndex begin    = incidence_begin[node];
  const unsigned int length = npe * (incidence_begin[node + 1] - begin);
  const unsigned int size   = power_of_two(length);
  for (unsigned int t = lane; t < size; t += warp_size)
    list[t] = t < length ? connectivity[t % npe * n_elements + incidences[begin + t / npe] / npe]
                         : ~LocalIndex(0);
  sort_in_warp(list, size, lane);

  LocalIndex *const row = rows + std::size_t(npe) * begin;
  unsigned int n_found  = 0;
  for (unsigned int first = 0; first < length; first += warp_size)
    {
      const unsigned int t    = first + lane;
      const bool is_new       = t < length && (t == 0 || list[t] != list[t - 1]);
      const unsigned int mask = __ballot_sync(0xffffffffu, is_new);
      if (is_new)
        row[n_found + __popc(mask & ((1u << lane) - 1u))] = list[t];
      n_found += __popc(mask);
    }
  if (lane == 0)
    lengths[node] = n_found;
}
} // namespace

/// NeighbourSort::warp: the list of a node, which the other methods write to memory and read
/// several times, stays in the multiprocessor. A row is written where the list would begin.
void sort_by_warps(const RowTask &task)
{
  NeighbourMatrix &result = task.result;
  Array<LocalIndex> rows(task.backend.memory(), task.n_listed());
  const unsigned int capacity = power_of_two(static_cast<unsigned int>(task.longest_list));
  const std::size_t bytes     = warps_per_block * capacity * sizeof(LocalIndex);
  timed_step(task.backend, task.report, "sort and unique", 2. * task.bytes_in(), [&]() {
    rows_kernel<<<n_blocks(warp_size * result.n_nodes, rows_block_size),
                  rows_block_size,
                  bytes,
                  task.context.activate()>>>(result.n_nodes,
                                             task.connectivity.n_elements,
                                             static_cast<unsigned int>(task.nodes_per_element()),
                                             capacity,
                                             task.connectivity.nodes.data(),
                                             result.incidence_begin.data(),
                                             result.incidences.data(),
                                             rows.data(),
                                             result.begin.data() + 1);
    STRUT_CUDA_CHECK_LAUNCH("rows_kernel");
  });
  collect_rows(task, rows.data());
}
} // namespace strut::cuda
