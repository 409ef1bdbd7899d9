// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/node_to_element.h"
#include "source/base/begin_rows.h"
#include "source/base/filled_vector.h"
#include "source/base/untouched_array.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <string>

namespace strut
{
namespace
{
void require_numbers_for(const std::uint64_t n_entries)
{
  constexpr std::uint64_t most = std::numeric_limits<LocalIndex>::max();
  if (n_entries > most)
    throw Error("The elements around nodes are numbered in 32 bits, for " + std::to_string(most) +
                  " vertices of elements of a rank, and there are " + std::to_string(n_entries) +
                  ".",
                Remedy::use_more_ranks);
}

/// Builds the rows. On several threads entries arrive in any order, and are sorted afterwards.
///
/// @param node_of  returns the node of vertex k % 8 of element k / 8
/// @param is_in  whether it is an entry
/// @param divisor  8: the entry is the element; 1: it is k
template <std::size_t divisor = 1, typename NodeOf, typename IsIn>
NodeToElement build_map(const std::size_t n_nodes,
                        const std::size_t n_entries,
                        const NodeOf &node_of,
                        const IsIn &is_in,
                        const int n_threads)
{
  if (divisor == 1)
    require_numbers_for(n_entries);
  NodeToElement map;
  map.begin       = cpu::filled_vector<LocalIndex>(n_threads, n_nodes + 1);
  const auto next = cpu::untouched_array<std::atomic<LocalIndex>>(n_nodes);
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    next[node].store(0, std::memory_order_relaxed);
  });
  cpu::parallel_for(n_threads, n_entries, [&](const std::size_t k) {
    if (is_in(k))
      next[node_of(k)].fetch_add(1, std::memory_order_relaxed);
  });
  const std::uint64_t n = cpu::begin_rows(n_threads, n_nodes, next.get());
  require_numbers_for(n);
  map.begin[n_nodes] = static_cast<LocalIndex>(n);
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    map.begin[node] = next[node].load(std::memory_order_relaxed);
  });
  map.entries = cpu::filled_vector<LocalIndex>(n_threads, map.begin[n_nodes]);
  cpu::parallel_for(n_threads, n_entries, [&](const std::size_t k) {
    if (is_in(k))
      map.entries[next[node_of(k)].fetch_add(1, std::memory_order_relaxed)] =
        static_cast<LocalIndex>(k / divisor);
  });
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    std::sort(map.entries.begin() + map.begin[node], map.entries.begin() + map.begin[node + 1]);
  });
  return map;
}

constexpr auto every_entry = [](std::size_t) { return true; };
} // namespace

NodeToElement NodeToElement::build(const ElementMesh &mesh, const int n_threads)
{
  const auto node_of = [&](const std::size_t k) {
    return mesh.connectivity[k % 8 * mesh.n_elements + k / 8];
  };
  return build_map(mesh.n_nodes, 8 * mesh.n_elements, node_of, every_entry, n_threads);
}

NodeToElement NodeToElement::of_elements(const ElementMesh &mesh,
                                         const std::vector<std::uint8_t> &is_in,
                                         const int n_threads)
{
  const auto node_of = [&](const std::size_t k) {
    return mesh.connectivity[k % 8 * mesh.n_elements + k / 8];
  };
  const auto entry_is_in = [&](const std::size_t k) { return is_in[k / 8] != 0; };
  return build_map<8>(mesh.n_nodes, 8 * mesh.n_elements, node_of, entry_is_in, n_threads);
}

NodeToElement NodeToElement::of_list(const ElementMesh &mesh,
                                     const std::vector<LocalIndex> &elements,
                                     const int n_threads)
{
  const auto node_of = [&](const std::size_t k) {
    return mesh.connectivity[k % 8 * mesh.n_elements + elements[k / 8]];
  };
  return build_map<8>(mesh.n_nodes, 8 * elements.size(), node_of, every_entry, n_threads);
}

NodeToElement NodeToElement::build(const std::size_t n_nodes,
                                   const std::vector<LocalIndex> &connectivity,
                                   const int n_threads)
{
  return build_map(
    n_nodes,
    connectivity.size(),
    [&](const std::size_t k) { return connectivity[k]; },
    every_entry,
    n_threads);
}
} // namespace strut
