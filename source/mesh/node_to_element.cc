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
#include <type_traits>

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
/// @param node_of  returns the node of entry k
/// @param is_in  whether it is an entry
/// @param number_of  returns its number in the map
template <typename NodeOf, typename IsIn, typename NumberOf>
NodeToElement build_map(const std::size_t n_nodes,
                        const std::size_t n_entries,
                        const NodeOf &node_of,
                        const IsIn &is_in,
                        const NumberOf &number_of,
                        const int n_threads)
{
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
        static_cast<LocalIndex>(number_of(k));
  });
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    std::sort(map.entries.begin() + map.begin[node], map.entries.begin() + map.begin[node + 1]);
  });
  return map;
}

constexpr auto every_entry = [](std::size_t) { return true; };
constexpr auto itself      = [](const std::size_t k) { return k; };

/// Calls `action(n)` with the nodes per element of a mesh. Those of a hexahedron are a constant,
/// since a division by 8 is a shift.
template <typename Action>
NodeToElement with_nodes_per_element(const ElementMesh &mesh, const Action &action)
{
  if (mesh.type.n_nodes == 8)
    return action(std::integral_constant<std::size_t, 8>());
  return action(std::size_t(mesh.type.n_nodes));
}
} // namespace

NodeToElement NodeToElement::build(const ElementMesh &mesh, const int n_threads)
{
  return with_nodes_per_element(mesh, [&](const auto n) {
    require_numbers_for(n * mesh.n_elements);
    const auto node_of = [&](const std::size_t k) { return mesh.node(k / n, k % n); };
    return build_map(mesh.n_nodes, n * mesh.n_elements, node_of, every_entry, itself, n_threads);
  });
}

NodeToElement NodeToElement::of_elements(const ElementMesh &mesh,
                                         const std::vector<std::uint8_t> &is_in,
                                         const int n_threads)
{
  return with_nodes_per_element(mesh, [&](const auto n) {
    const auto node_of     = [&](const std::size_t k) { return mesh.node(k / n, k % n); };
    const auto element_of  = [n](const std::size_t k) { return k / n; };
    const auto entry_is_in = [&](const std::size_t k) { return is_in[k / n] != 0; };
    return build_map(
      mesh.n_nodes, n * mesh.n_elements, node_of, entry_is_in, element_of, n_threads);
  });
}

NodeToElement NodeToElement::of_list(const ElementMesh &mesh,
                                     const std::vector<LocalIndex> &elements,
                                     const int n_threads)
{
  return with_nodes_per_element(mesh, [&](const auto n) {
    const auto node_of    = [&](const std::size_t k) { return mesh.node(elements[k / n], k % n); };
    const auto element_of = [n](const std::size_t k) { return k / n; };
    return build_map(
      mesh.n_nodes, n * elements.size(), node_of, every_entry, element_of, n_threads);
  });
}

NodeToElement NodeToElement::build(const std::size_t n_nodes,
                                   const std::vector<LocalIndex> &connectivity,
                                   const int n_threads)
{
  require_numbers_for(connectivity.size());
  return build_map(
    n_nodes,
    connectivity.size(),
    [&](const std::size_t k) { return connectivity[k]; },
    every_entry,
    itself,
    n_threads);
}
} // namespace strut
