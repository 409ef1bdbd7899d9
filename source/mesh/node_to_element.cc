// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/node_to_element.h"
#include "source/base/filled_vector.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

namespace strut
{
namespace
{
/// From counts of rows to where they begin, over blocks of rows: [row] becomes the sum of those before.
/// @return the sum of all
LocalIndex begin_rows(const int n_threads, const std::size_t n, std::atomic<LocalIndex> *const rows)
{
  constexpr std::size_t block_size = 1 << 16;
  std::vector<LocalIndex> before((n + block_size - 1) / block_size + 1, 0);
  cpu::parallel_blocks(n_threads,
                       n,
                       block_size,
                       [&](const std::size_t begin, const std::size_t end) {
                         LocalIndex sum = 0;
                         for (std::size_t row = begin; row < end; ++row)
                           sum += rows[row].load(std::memory_order_relaxed);
                         before[begin / block_size + 1] = sum;
                       });
  std::partial_sum(before.begin(), before.end(), before.begin());
  cpu::parallel_blocks(n_threads,
                       n,
                       block_size,
                       [&](const std::size_t begin, const std::size_t end) {
                         LocalIndex sum = before[begin / block_size];
                         for (std::size_t row = begin; row < end; ++row)
                           {
                             const LocalIndex length = rows[row].load(std::memory_order_relaxed);
                             rows[row].store(sum, std::memory_order_relaxed);
                             sum += length;
                           }
                       });
  return before.back();
}

/// On several threads entries come as these do, and are sorted then.
/// @param node_of  the node of an entry, `8 * element + vertex`
/// @param is_in  whether an entry is
template <typename NodeOf, typename IsIn>
NodeToElement build_map(const std::size_t n_nodes,
                        const std::size_t n_entries,
                        const NodeOf &node_of,
                        const IsIn &is_in,
                        const int n_threads)
{
  NodeToElement map;
  map.begin = cpu::filled_vector<LocalIndex>(n_threads, n_nodes + 1);
  const std::unique_ptr<std::atomic<LocalIndex>[]> next(new std::atomic<LocalIndex>[n_nodes]);
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    next[node].store(0, std::memory_order_relaxed);
  });
  cpu::parallel_for(n_threads, n_entries, [&](const std::size_t k) {
    if (is_in(k))
      next[node_of(k)].fetch_add(1, std::memory_order_relaxed);
  });
  map.begin[n_nodes] = begin_rows(n_threads, n_nodes, next.get());
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    map.begin[node] = next[node].load(std::memory_order_relaxed);
  });
  map.entries = cpu::filled_vector<LocalIndex>(n_threads, map.begin[n_nodes]);
  cpu::parallel_for(n_threads, n_entries, [&](const std::size_t k) {
    if (is_in(k))
      map.entries[next[node_of(k)].fetch_add(1, std::memory_order_relaxed)] =
        static_cast<LocalIndex>(k);
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

NodeToElement NodeToElement::build(const ElementMesh &mesh,
                                   const std::vector<std::uint8_t> &is_in,
                                   const int n_threads)
{
  const auto node_of = [&](const std::size_t k) {
    return mesh.connectivity[k % 8 * mesh.n_elements + k / 8];
  };
  const auto entry_is_in = [&](const std::size_t k) { return is_in[k / 8] != 0; };
  return build_map(mesh.n_nodes, 8 * mesh.n_elements, node_of, entry_is_in, n_threads);
}

NodeToElement NodeToElement::build(const std::size_t n_nodes,
                                   const std::vector<LocalIndex> &connectivity)
{
  return build_map(
    n_nodes,
    connectivity.size(),
    [&](const std::size_t k) { return connectivity[k]; },
    every_entry,
    cpu::default_n_threads());
}
} // namespace strut
