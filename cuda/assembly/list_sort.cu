// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/assembly/list_sort.h"

#include "cuda/base/parallel_loop.cuh"

namespace strut::cuda
{
/// The lists of nodes, one behind the other: those of the first element of node 0, of its second, ...
///
/// Formula:   lists[k npe + b] = node b of the element of incidence k
/// Threads:   one per entry: neighbouring threads write neighbouring words
/// Bytes:     4 read and 4 written an entry; the connectivity mostly from the caches
/// Determinism: every entry has one writer
void copy_lists(const Context &context,
                const ConnectivityArrays &connectivity,
                const NeighbourMatrix &neighbours,
                LocalIndex *const lists,
                std::uint64_t *const list_begin)
{
  const LocalIndex *const nodes      = connectivity.nodes.data();
  const LocalIndex *const incidences = neighbours.incidences.data();
  const std::size_t n_elements       = connectivity.n_elements;
  const std::size_t n_local          = static_cast<std::size_t>(connectivity.nodes_per_element);
  parallel_for(context,
               n_local * neighbours.incidences.size(),
               [=] __device__(const std::size_t t) {
                 const LocalIndex element =
                   incidences[t / n_local] / static_cast<LocalIndex>(n_local);
                 lists[t] = nodes[t % n_local * n_elements + element];
               });
  const LocalIndex *const incidence_begin = neighbours.incidence_begin.data();
  parallel_for(context, neighbours.n_nodes + 1, [=] __device__(const std::size_t node) {
    list_begin[node] = n_local * std::uint64_t(incidence_begin[node]);
  });
}

/// lengths[node + 1] = number of different entries in the sorted list of the node
void count_different(const Context &context,
                     const std::size_t n_nodes,
                     const std::uint64_t *const list_begin,
                     const LocalIndex *const lists,
                     std::uint64_t *const lengths)
{
  parallel_for(context, n_nodes, [=] __device__(const std::size_t node) {
    std::uint64_t n = 0;
    for (std::uint64_t k = list_begin[node]; k < list_begin[node + 1]; ++k)
      n += k == list_begin[node] || lists[k] != lists[k - 1] ? 1 : 0;
    lengths[node + 1] = n;
  });
}

/// One thread per node sorts its list by insertion, leaving out numbers that are there already. The
/// row is then at the beginning of the list.
///
/// Bytes:     the list read and, as the row grows, shifted: up to length^2 / 4 words, from the caches
/// Determinism: one thread per row
void sort_sequentially(const Context &context,
                       const std::size_t n_nodes,
                       const std::uint64_t *const list_begin,
                       LocalIndex *const lists,
                       std::uint64_t *const lengths)
{
  parallel_for(context, n_nodes, [=] __device__(const std::size_t node) {
    LocalIndex *const row     = lists + list_begin[node];
    const std::uint64_t n_all = list_begin[node + 1] - list_begin[node];
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
    lengths[node + 1] = length;
  });
}

/// The different entries of the sorted lists to their rows. Of lists that are rows already, the first
/// ones.
void copy_rows(const Context &context,
               const bool are_rows,
               const std::uint64_t *const list_begin,
               const LocalIndex *const lists,
               NeighbourMatrix &result)
{
  const std::uint64_t *const begin = result.begin.data();
  LocalIndex *const nodes          = result.nodes.data();
  parallel_for(context, result.n_nodes, [=] __device__(const std::size_t node) {
    const std::uint64_t length   = begin[node + 1] - begin[node];
    const LocalIndex *const list = lists + list_begin[node];
    LocalIndex *const row        = nodes + begin[node];
    std::uint64_t place          = 0;
    for (std::uint64_t k = 0; place < length; ++k)
      if (are_rows || k == 0 || list[k] != list[k - 1])
        row[place++] = list[k];
  });
}
} // namespace strut::cuda
