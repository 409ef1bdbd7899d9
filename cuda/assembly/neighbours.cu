// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/assembly/assembly_parts.h"
#include "cuda/assembly/list_sort.h"
#include "cuda/assembly/warp_sort.h"

#include "cuda/base/parallel_loop.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>

namespace strut::cuda
{
namespace
{
/// The scratch buffer of CUB's functions. Each is called twice, as `call(scratch, bytes)`: reserve() asks for
/// the size before anything is timed, run() does the work.
class Scratch
{
public:
  explicit Scratch(Memory &memory) : memory_(memory)
  {}

  template <typename Call>
  void reserve(const Call &call)
  {
    std::size_t bytes = 0;
    STRUT_CUDA_CHECK(call(nullptr, bytes));
    if (bytes > buffer_.size())
      buffer_ = Array<char>(memory_, bytes);
  }

  template <typename Call>
  void run(const Call &call)
  {
    std::size_t bytes = buffer_.size();
    STRUT_CUDA_CHECK(call(static_cast<void *>(buffer_.data()), bytes));
  }

private:
  Memory &memory_;
  Array<char> buffer_;
};

/// array[i] = sum of array[k] over k <= i
template <typename T>
auto inclusive_scan(const Context &context, T *const array, const std::size_t n)
{
  const cudaStream_t stream = context.activate();
  return [=](void *scratch, std::size_t &bytes) {
    return cub::DeviceScan::InclusiveSum(
      scratch, bytes, array, array, static_cast<std::int64_t>(n), stream);
  };
}

/// *result = the largest of n values
auto maximum(const Context &context,
             const std::uint64_t *const values,
             const std::size_t n,
             std::uint64_t *const result)
{
  const cudaStream_t stream = context.activate();
  return [=](void *scratch, std::size_t &bytes) {
    return cub::DeviceReduce::Max(
      scratch, bytes, values, result, static_cast<std::int64_t>(n), stream);
  };
}

/// Sort each list; afterwards keys.Current() is where they are.
auto segmented_sort(const Context &context,
                    const std::size_t n_items,
                    const std::size_t n_segments,
                    const std::uint64_t *const begin,
                    cub::DoubleBuffer<LocalIndex> &keys)
{
  const cudaStream_t stream = context.activate();
  return [=, &keys](void *scratch, std::size_t &bytes) {
    return cub::DeviceSegmentedSort::SortKeys(scratch,
                                              bytes,
                                              keys,
                                              static_cast<std::int64_t>(n_items),
                                              static_cast<std::int64_t>(n_segments),
                                              begin,
                                              begin + 1,
                                              stream);
  };
}

/// The element lists: sizes by atomic counts, a scan, then each pair of element and node to the next free
/// place of its node. Places are taken in the order of the hardware, so each list is sorted afterwards, a
/// thread per entry, which counts those before it: later results are then the same in every run.
/// @param taken  zeros, `[n_nodes]` @param unsorted  to work in, `[n_incidences]`
void find_elements(const Context &context,
                   const ConnectivityArrays &connectivity,
                   Scratch &scratch,
                   LocalIndex *const taken,
                   LocalIndex *const unsorted,
                   NeighbourMatrix &result)
{
  const LocalIndex *const nodes = connectivity.nodes.data();
  const std::size_t n_elements  = connectivity.n_elements;
  const unsigned int n_local    = static_cast<unsigned int>(connectivity.nodes_per_element);
  LocalIndex *const begin       = result.incidence_begin.data();
  LocalIndex *const incidences  = result.incidences.data();
  const std::size_t n           = connectivity.n_incidences();

  parallel_for(context, n, [=] __device__(const std::size_t k) {
    atomicAdd(begin + nodes[k] + 1, 1u);
  });
  scratch.run(inclusive_scan(context, begin, result.n_nodes + 1));
  parallel_for(context, n, [=] __device__(const std::size_t k) {
    const LocalIndex node                               = nodes[k];
    const LocalIndex local                              = static_cast<LocalIndex>(k / n_elements);
    const LocalIndex element                            = static_cast<LocalIndex>(k % n_elements);
    unsorted[begin[node] + atomicAdd(taken + node, 1u)] = n_local * element + local;
  });
  parallel_for(context, n, [=] __device__(const std::size_t k) {
    const LocalIndex entry = unsorted[k];
    const LocalIndex node  = nodes[entry % n_local * n_elements + entry / n_local];
    LocalIndex place       = begin[node];
    for (LocalIndex other = begin[node]; other < begin[node + 1]; ++other)
      place += unsorted[other] < entry ? 1u : 0u;
    incidences[place] = entry;
  });
}

/// Nodes in the lists of a node, the most of all.
std::size_t longest_list(const Context &context,
                         const ConnectivityArrays &connectivity,
                         const NeighbourMatrix &neighbours)
{
  const LocalIndex *const begin = neighbours.incidence_begin.data();
  const double n_elements =
    parallel_reduce(context, neighbours.n_nodes, Maximum(), [=] __device__(const std::size_t node) {
      return static_cast<double>(begin[node + 1] - begin[node]);
    });
  return static_cast<std::size_t>(n_elements) *
         static_cast<std::size_t>(connectivity.nodes_per_element);
}
} // namespace

NeighbourMatrix find_neighbours(Backend &backend,
                                const ConnectivityArrays &connectivity,
                                const NeighbourSort wanted,
                                StageReport *const report)
{
  const Context &context    = context_of(backend);
  Memory &memory            = backend.memory();
  const std::size_t n       = connectivity.n_nodes;
  const std::size_t n_local = static_cast<std::size_t>(connectivity.nodes_per_element);
  const double in           = sizeof(LocalIndex) * static_cast<double>(connectivity.n_incidences());
  const double in_lists     = in * static_cast<double>(n_local);
  const auto planned        = [&](const NeighbourSort sort) {
    return neighbour_memory_estimate(n,
                                     connectivity.n_elements,
                                     connectivity.nodes_per_element,
                                     sort);
  };
  const std::string what = "stage 1 of the matrix generation (neighbours)";
  require_memory(memory, planned(wanted), what);

  // (1) The element lists.
  NeighbourMatrix result;
  result.n_nodes         = n;
  result.begin           = Array<std::uint64_t>(memory, n + 1);
  result.incidence_begin = Array<LocalIndex>(memory, n + 1);
  result.incidences      = Array<LocalIndex>(memory, connectivity.n_incidences());
  if (connectivity.n_incidences() == 0)
    return result;
  Array<LocalIndex> counters(memory, n);
  Array<LocalIndex> unsorted(memory, connectivity.n_incidences());
  Array<std::uint64_t> longest(memory, 1);
  Scratch scratch(memory);
  const auto scan         = inclusive_scan(context, result.begin.data(), n + 1);
  const auto find_longest = maximum(context, result.begin.data() + 1, n, longest.data());
  scratch.reserve(inclusive_scan(context, result.incidence_begin.data(), n + 1));
  scratch.reserve(scan);
  scratch.reserve(find_longest);
  std::size_t longest_of_lists = 0;
  timed_step(backend, report, "element lists", 2. * in + sizeof(LocalIndex) * (n + 1.), [&]() {
    find_elements(context, connectivity, scratch, counters.data(), unsorted.data(), result);
    longest_of_lists = longest_list(context, connectivity, result);
  });
  unsorted = Array<LocalIndex>();

  // (2) Sorted rows, each at the beginning of its list, or with repetitions; their lengths.
  const NeighbourSort sort = wanted == NeighbourSort::warp && longest_of_lists > longest_warp_list
                               ? NeighbourSort::segmented
                               : wanted;
  if (sort != wanted)
    require_memory(memory, planned(sort), what);
  Array<LocalIndex> lists(memory, n_local * connectivity.n_incidences());
  Array<LocalIndex> other(memory, sort == NeighbourSort::segmented ? lists.size() : 0);
  Array<std::uint64_t> list_begin(memory, sort == NeighbourSort::warp ? 0 : n + 1);
  cub::DoubleBuffer<LocalIndex> keys(lists.data(), other.data());
  const auto sort_lists = segmented_sort(context, lists.size(), n, list_begin.data(), keys);
  if (sort == NeighbourSort::segmented)
    scratch.reserve(sort_lists);
  if (sort != NeighbourSort::warp)
    timed_step(backend, report, "node lists", in + in_lists, [&]() {
      copy_lists(context, connectivity, result, lists.data(), list_begin.data());
    });
  timed_step(
    backend,
    report,
    "sort and unique",
    sort == NeighbourSort::warp ? 2. * in : 2. * in_lists,
    [&]() {
      if (sort == NeighbourSort::warp)
        make_rows(
          context, connectivity, result, longest_of_lists, lists.data(), result.begin.data() + 1);
      else if (sort == NeighbourSort::sequential)
        sort_sequentially(context, n, list_begin.data(), lists.data(), result.begin.data());
      else
        {
          scratch.run(sort_lists);
          count_different(context, n, list_begin.data(), keys.Current(), result.begin.data());
        }
    });

  // (3) The rows to their places.
  timed_step(backend, report, "scan", 2. * sizeof(std::uint64_t) * n, [&]() {
    scratch.run(find_longest);
    scratch.run(scan);
  });
  memory.copy_to_host(&result.n_pairs, result.begin.data() + n, sizeof result.n_pairs);
  result.longest_row = longest.to_host()[0];
  result.nodes       = Array<LocalIndex>(memory, result.n_pairs);
  const double out   = sizeof(LocalIndex) * static_cast<double>(result.n_pairs);
  timed_step(
    backend, report, "rows", sort == NeighbourSort::segmented ? in_lists + out : 2. * out, [&]() {
      if (sort == NeighbourSort::warp)
        collect_rows(context, n_local, lists.data(), result);
      else
        copy_rows(
          context, sort == NeighbourSort::sequential, list_begin.data(), keys.Current(), result);
    });
  context.synchronize(); // before the lists go
  if (report != nullptr)
    {
      report->bytes = 2. * in + out +
                      (sizeof(LocalIndex) + sizeof(std::uint64_t)) * (static_cast<double>(n) + 1.);
      report->memory_bytes = planned(sort);
    }
  return result;
}
} // namespace strut::cuda
