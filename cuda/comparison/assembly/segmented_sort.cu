// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/pair_rows.cuh"

#include <cub/device/device_segmented_sort.cuh>

#include <thrust/iterator/transform_iterator.h>

namespace strut::cuda
{
namespace
{
/// Returns the begin of the list of a node.
struct ListBegin
{
  const LocalIndex *incidence_begin;
  std::size_t npe;

  __host__ __device__ std::int64_t operator()(const std::size_t node) const
  {
    return static_cast<std::int64_t>(npe * incidence_begin[node]);
  }
};

/// Returns the key of entry t of the lists: the node of its list, and the entry.
struct KeyOfEntry
{
  const LocalIndex *lists;
  const LocalIndex *incidences;
  const LocalIndex *nodes; ///< `[npe][n_elements]`
  std::size_t n_elements;
  LocalIndex npe;
  PairKey key;

  __host__ __device__ std::uint64_t operator()(const std::size_t t) const
  {
    const LocalIndex incidence = incidences[t / npe];
    return key(nodes[incidence % npe * n_elements + incidence / npe], lists[t]);
  }
};

/// Sorts each list; afterwards lists.Current() points to them.
template <typename Begin>
auto segmented_sort(const RowTask &task, const Begin &begin, cub::DoubleBuffer<LocalIndex> &lists)
{
  const cudaStream_t stream = task.context.activate();
  const auto n_items        = static_cast<std::int64_t>(task.n_listed());
  const auto n_segments     = static_cast<std::int64_t>(task.result.n_nodes);
  return [=, &lists](void *scratch, std::size_t &bytes) {
    return cub::DeviceSegmentedSort::SortKeys(
      scratch, bytes, lists, n_items, n_segments, begin, begin + 1, stream);
  };
}
} // namespace

/// NeighbourSort::segmented: sorts the lists in memory by CUB, and removes repetitions by Thrust.
void sort_segments(const RowTask &task)
{
  Memory &memory = task.backend.memory();
  Array<LocalIndex> lists(memory, task.n_listed()), other(memory, task.n_listed());
  cub::DoubleBuffer<LocalIndex> buffer(lists.data(), other.data());
  const auto begin = thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0),
                                                     ListBegin{task.result.incidence_begin.data(),
                                                               task.nodes_per_element()});
  const auto sort  = segmented_sort(task, begin, buffer);
  reserve_for(task.scratch, sort);
  timed_step(task.backend,
             task.report,
             "node lists",
             task.bytes_in() + task.bytes_of_lists(),
             [&]() { copy_lists(task, lists.data()); });
  timed_step(task.backend, task.report, "sort", 2. * task.bytes_of_lists(), [&]() {
    run_cub(task.scratch, sort);
  });
  if (buffer.Current() != lists.data())
    lists.swap(other);
  other = Array<LocalIndex>();

  constexpr PairKey key = {32};
  rows_of_keys(task,
               thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0),
                                               KeyOfEntry{lists.data(),
                                                          task.result.incidences.data(),
                                                          task.connectivity.nodes.data(),
                                                          task.connectivity.n_elements,
                                                          static_cast<LocalIndex>(
                                                            task.connectivity.nodes_per_element),
                                                          key}),
               key);
}
} // namespace strut::cuda
