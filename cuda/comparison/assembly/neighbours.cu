// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/assembly_parts.h"
#include "cuda/comparison/assembly/element_lists.h"
#include "cuda/comparison/assembly/neighbour_rows.h"

namespace strut::cuda
{
namespace
{
/// A method for making the rows, and its function.
struct RowSort
{
  NeighbourSort sort;
  void (*make_rows)(const RowTask &);
};

constexpr RowSort row_sorts[] = {{NeighbourSort::warp, sort_by_warps},
                                 {NeighbourSort::segmented, sort_segments},
                                 {NeighbourSort::pairs, sort_pairs},
                                 {NeighbourSort::sequential, sort_sequentially}};

void make_rows(const NeighbourSort wanted, const RowTask &task)
{
  for (const RowSort &row_sort : row_sorts)
    if (row_sort.sort == wanted)
      return row_sort.make_rows(task);
}

/// Bytes of scratch for Thrust's scans and selections over n numbers. Those of CUB take 16 bytes
/// for each tile of some hundred numbers. If the buffer is too small, they allocate during their
/// work.
std::size_t scan_scratch_bytes(const std::size_t n)
{
  return n / 8 + (std::size_t(1) << 16);
}
} // namespace

NeighbourMatrix find_neighbours(Backend &backend,
                                const ConnectivityArrays &connectivity,
                                const NeighbourSort wanted,
                                StageReport *const report)
{
  const Context &context = context_of(backend);
  Memory &memory         = backend.memory();
  const std::size_t n    = connectivity.n_nodes;
  const auto planned     = [&](const NeighbourSort sort) {
    return neighbour_memory_estimate(n,
                                     connectivity.n_elements,
                                     connectivity.nodes_per_element,
                                     sort);
  };
  const std::string stage = "stage 1 of the matrix generation (neighbours)";
  require_memory(memory, planned(wanted), stage);

  // (1) Find the element lists.
  NeighbourMatrix result;
  result.n_nodes         = n;
  result.begin           = Array<std::uint64_t>(memory, n + 1);
  result.incidence_begin = Array<LocalIndex>(memory, n + 1);
  result.incidences      = Array<LocalIndex>(memory, connectivity.n_incidences());
  if (connectivity.n_incidences() == 0)
    return result;
  Scratch scratch(memory);
  RowTask task = {backend, context, connectivity, scratch, 0, report, result};
  {
    Array<LocalIndex> counters(memory, n);
    Array<LocalIndex> unsorted(memory, connectivity.n_incidences());
    scratch.reserve(scan_scratch_bytes(n));
    const double bytes = 2. * task.bytes_in() + sizeof(LocalIndex) * (static_cast<double>(n) + 1.);
    timed_step(backend, report, "element lists", bytes, [&]() {
      find_elements(context, connectivity, scratch, counters, unsorted, result);
      task.longest_list =
        task.nodes_per_element() * longest_range(context, scratch, result.incidence_begin, n);
    });
  }

  // (2) Find the rows.
  const NeighbourSort sort = wanted == NeighbourSort::warp && task.longest_list > longest_warp_list
                               ? NeighbourSort::segmented
                               : wanted;
  if (sort != wanted)
    require_memory(memory, planned(sort), stage);
  if (sort == NeighbourSort::segmented || sort == NeighbourSort::pairs)
    scratch.reserve(scan_scratch_bytes(task.n_listed()) / 8);
  make_rows(sort, task);
  if (report != nullptr)
    {
      report->bytes = 2. * task.bytes_in() +
                      sizeof(LocalIndex) * static_cast<double>(result.n_pairs) +
                      (sizeof(LocalIndex) + sizeof(std::uint64_t)) * (static_cast<double>(n) + 1.);
      report->memory_bytes = planned(sort);
    }
  return result;
}
} // namespace strut::cuda
