// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/node_to_element.h"
#include "source/base/filled_vector.h"

#include <algorithm>
#include <atomic>
#include <memory>

namespace strut
{
namespace
{
/// On several threads entries come as these do, and are sorted then.
/// @param node_of  the node of an entry, `8 * element + vertex`
template <typename NodeOf>
NodeToElement build_map(const std::size_t n_nodes,
                        const std::size_t n_entries,
                        const NodeOf &node_of,
                        const int n_threads)
{
  NodeToElement map;
  map.begin.assign(n_nodes + 1, 0);
  const std::unique_ptr<std::atomic<LocalIndex>[]> next(new std::atomic<LocalIndex>[n_nodes]);
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    next[node].store(0, std::memory_order_relaxed);
  });
  cpu::parallel_for(n_threads, n_entries, [&](const std::size_t k) {
    next[node_of(k)].fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t node = 0; node < n_nodes; ++node)
    {
      map.begin[node + 1] = map.begin[node] + next[node].load(std::memory_order_relaxed);
      next[node].store(map.begin[node], std::memory_order_relaxed);
    }
  map.entries = cpu::filled_vector<LocalIndex>(n_threads, n_entries);
  cpu::parallel_for(n_threads, n_entries, [&](const std::size_t k) {
    map.entries[next[node_of(k)].fetch_add(1, std::memory_order_relaxed)] =
      static_cast<LocalIndex>(k);
  });
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    std::sort(map.entries.begin() + map.begin[node], map.entries.begin() + map.begin[node + 1]);
  });
  return map;
}
} // namespace

NodeToElement NodeToElement::build(const ElementMesh &mesh, const int n_threads)
{
  const auto node_of = [&](const std::size_t k) {
    return mesh.connectivity[k % 8 * mesh.n_elements + k / 8];
  };
  return build_map(mesh.n_nodes, 8 * mesh.n_elements, node_of, n_threads);
}

NodeToElement NodeToElement::build(const std::size_t n_nodes,
                                   const std::vector<LocalIndex> &connectivity)
{
  return build_map(
    n_nodes,
    connectivity.size(),
    [&](const std::size_t k) { return connectivity[k]; },
    cpu::default_n_threads());
}
} // namespace strut
