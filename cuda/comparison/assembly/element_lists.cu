// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/parallel_loop.cuh"
#include "cuda/base/thrust_policy.cuh"
#include "cuda/comparison/assembly/element_lists.h"

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>

namespace strut::cuda
{
namespace
{
template <typename Index>
struct RangeLength
{
  const Index *begin;

  __host__ __device__ Index operator()(const std::size_t i) const
  {
    return begin[i + 1] - begin[i];
  }
};
} // namespace

/// Finds sizes by atomic counts and a scan. Then each pair of element and node takes the next free
/// place of its node, in the order of the hardware. So each list is sorted afterwards, by a thread
/// per entry, which counts the smaller entries. (A radix sort of all pairs by CUB takes 1.06 to 2.2
/// times as long, doc/studies/assembly.md.)
///
/// Threads:   three kernels with one thread per pair.
/// Bytes:     per pair 8, 12 and 8 in the three kernels; lists from the caches.
/// Determinism: the lists are sorted, and their entries are distinct.
void find_elements(const Context &context,
                   const ConnectivityArrays &connectivity,
                   Scratch &scratch,
                   Array<LocalIndex> &taken,
                   Array<LocalIndex> &unsorted,
                   NeighbourMatrix &result)
{
  const LocalIndex *const nodes = connectivity.nodes.data();
  const std::size_t n_elements  = connectivity.n_elements;
  const LocalIndex n_local      = static_cast<LocalIndex>(connectivity.nodes_per_element);
  LocalIndex *const begin       = result.incidence_begin.data();
  LocalIndex *const incidences  = result.incidences.data();
  LocalIndex *const n_taken     = taken.data();
  LocalIndex *const all         = unsorted.data();
  const std::size_t n           = connectivity.n_incidences();

  parallel_for(context, n, [=] __device__(const std::size_t k) {
    atomicAdd(begin + nodes[k] + 1, 1u);
  });
  with_thrust(context, scratch, [&](const auto &policy) {
    thrust::inclusive_scan(policy, begin, begin + result.n_nodes + 1, begin);
  });
  parallel_for(context, n, [=] __device__(const std::size_t k) {
    const LocalIndex node                            = nodes[k];
    const LocalIndex local                           = static_cast<LocalIndex>(k / n_elements);
    const LocalIndex element                         = static_cast<LocalIndex>(k % n_elements);
    all[begin[node] + atomicAdd(n_taken + node, 1u)] = n_local * element + local;
  });
  parallel_for(context, n, [=] __device__(const std::size_t k) {
    const LocalIndex entry = all[k];
    const LocalIndex node  = nodes[entry % n_local * n_elements + entry / n_local];
    LocalIndex place       = begin[node];
    for (LocalIndex other = begin[node]; other < begin[node + 1]; ++other)
      place += all[other] < entry ? 1u : 0u;
    incidences[place] = entry;
  });
}

template <typename Index>
std::size_t longest_range(const Context &context,
                          Scratch &scratch,
                          const Array<Index> &begin,
                          const std::size_t n)
{
  const thrust::counting_iterator<std::size_t> first(0);
  return with_thrust(context, scratch, [&](const auto &policy) {
    return static_cast<std::size_t>(thrust::transform_reduce(policy,
                                                             first,
                                                             first + static_cast<std::ptrdiff_t>(n),
                                                             RangeLength<Index>{begin.data()},
                                                             Index(0),
                                                             thrust::maximum<Index>()));
  });
}

template decltype(longest_range<LocalIndex>) longest_range<LocalIndex>;
template decltype(longest_range<std::uint64_t>) longest_range<std::uint64_t>;
} // namespace strut::cuda
