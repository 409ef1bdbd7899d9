// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/parallel_loop.cuh"
#include "cuda/comparison/assembly/neighbour_rows.h"

namespace strut::cuda
{
namespace
{
/// One thread per node sorts its list by insertion, and leaves out repetitions. The row is then at
/// the beginning of the list.
///
/// The loop replaces thrust::sort and thrust::unique with thrust::seq (Sanfui and Sharma 2020,
/// algorithm 5), since thrust::sort allocates from the heap of the device in each thread.
///
/// Bytes:     the list read and, as the row grows, shifted: up to length^2 / 4 words, from the
///            caches.
/// Determinism: one thread per row.
void insert_all(const RowTask &task, LocalIndex *const lists)
{
  const LocalIndex *const incidence_begin = task.result.incidence_begin.data();
  std::uint64_t *const begin              = task.result.begin.data();
  const std::size_t npe                   = task.nodes_per_element();
  parallel_for(task.context, task.result.n_nodes, [=] __device__(const std::size_t node) {
    LocalIndex *const row     = lists + npe * incidence_begin[node];
    const std::uint64_t n_all = npe * (incidence_begin[node + 1] - incidence_begin[node]);
    std::uint64_t length      = 0;
    for (std::uint64_t k = 0; k < n_all; ++k)
      {
        const LocalIndex entry = row[k];
        std::uint64_t place    = length;
        while (place > 0 && row[place - 1] > entry)
          --place;
        if (place > 0 && row[place - 1] == entry)
          continue;
        for (std::uint64_t shifted = length; shifted > place; --shifted)
          row[shifted] = row[shifted - 1];
        row[place] = entry;
        ++length;
      }
    begin[node + 1] = length;
  });
}
} // namespace

/// NeighbourSort::sequential: one thread per node sorts its list.
void sort_sequentially(const RowTask &task)
{
  Array<LocalIndex> lists(task.backend.memory(), task.n_listed());
  timed_step(task.backend,
             task.report,
             "node lists",
             task.bytes_in() + task.bytes_of_lists(),
             [&]() { copy_lists(task, lists.data()); });
  timed_step(task.backend, task.report, "sort and unique", 2. * task.bytes_of_lists(), [&]() {
    insert_all(task, lists.data());
  });
  collect_rows(task, lists.data());
}
} // namespace strut::cuda
