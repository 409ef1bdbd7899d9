// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/interpolation_tables.h"
#include "source/backend/multigrid_operations.h"
#include "source/solvers/multigrid/linear_level.h"

#include "source/base/atomic_minimum.h"
#include "source/base/begin_rows.h"
#include "source/base/equal_rows.h"
#include "source/base/filled_vector.h"
#include "source/base/untouched_array.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string>

namespace strut
{
namespace
{
/// The finalizer of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t mixed_bits(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// Makes NodeInterpolation::places. Vertex v of the child at octant c is at place (c + v) of the
/// lattice of its parent; that of an element that was not refined is at (2 v). Nodes of a quadratic
/// element are where its linear level has them. The first element around a node decides.
std::vector<std::uint32_t>
places_of_nodes(const ElementMesh &fine, const LevelTransfer &transfer, const int n_threads)
{
  const std::size_t n = fine.n_elements, n_nodes = fine.n_owned_nodes;
  const auto first = cpu::untouched_array<std::atomic<LocalIndex>>(n_nodes);
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    first[node].store(static_cast<LocalIndex>(n), std::memory_order_relaxed);
  });
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    for (std::size_t v = 0; v < fine.type.n_nodes; ++v)
      if (const LocalIndex node = fine.connectivity[v * n + e]; node < n_nodes)
        lower(first[node], static_cast<LocalIndex>(e));
  });
  std::vector<std::uint32_t> places = cpu::filled_vector<std::uint32_t>(n_threads, n_nodes);
  const std::vector<std::uint32_t> in_linear = places_in_linear_element(fine.type);
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    for (unsigned int v = 0; v < fine.type.n_nodes; ++v)
      {
        const LocalIndex node = fine.connectivity[v * n + e];
        if (node >= n_nodes || first[node].load(std::memory_order_relaxed) != e)
          continue;
        const auto at = [&](const unsigned int d) {
          const unsigned int bit = v >> d & 1u;
          return transfer.octants[e] == LevelTransfer::whole
                   ? 2 * bit
                   : (transfer.octants[e] >> d & 1u) + bit;
        };
        places[node] = transfer.parents[e] << NodeInterpolation::bits_of_place |
                       (in_linear.empty() ? at(0) + 3 * at(1) + 9 * at(2) : in_linear[v]);
      }
  });
  return places;
}

/// Finds the place of the pattern of each list, that of the first list that equals it. Makes room
/// for the patterns, in the order of those lists, and for the bases.
/// @param length  length of a list's pattern
template <typename Length>
InterpolationTables::Lists begin_patterns(const int n_threads,
                                          const std::vector<std::uint32_t> &first_equal,
                                          const Length &length)
{
  const std::size_t n = first_equal.size();
  const auto begin    = cpu::untouched_array<std::atomic<std::uint32_t>>(n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t i) {
    begin[i].store(first_equal[i] == i ? length(i) : 0, std::memory_order_relaxed);
  });
  InterpolationTables::Lists lists;
  lists.patterns =
    cpu::filled_vector<std::uint32_t>(n_threads, cpu::begin_rows(n_threads, n, begin.get()));
  lists.bases  = cpu::filled_vector<std::uint32_t>(n_threads, n);
  lists.begins = cpu::filled_vector<std::uint32_t>(n_threads, n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t i) {
    lists.begins[i] = begin[first_equal[i]].load(std::memory_order_relaxed);
  });
  return lists;
}

/// Makes NodeInterpolation::elements.
InterpolationTables::Lists lists_of_elements(const std::vector<std::array<LocalIndex, 8>> &nodes,
                                             const int n_threads)
{
  const auto difference = [&](const std::size_t e, const std::size_t v) {
    return nodes[e][v] - nodes[e][0];
  };
  const auto first_equal = cpu::first_equal_rows(
    n_threads,
    nodes.size(),
    [&](const std::size_t e) {
      std::uint64_t hash = 0;
      for (std::size_t v = 1; v < 8; ++v)
        hash = mixed_bits(hash ^ difference(e, v));
      return hash;
    },
    [&](const std::size_t a, const std::size_t b) {
      for (std::size_t v = 1; v < 8; ++v)
        if (difference(a, v) != difference(b, v))
          return false;
      return true;
    });
  InterpolationTables::Lists lists =
    begin_patterns(n_threads, first_equal, [](std::size_t) { return 8u; });
  cpu::parallel_for(n_threads, nodes.size(), [&](const std::size_t e) {
    lists.bases[e] = nodes[e][0];
    if (first_equal[e] == e)
      for (std::size_t v = 0; v < 8; ++v)
        lists.patterns[lists.begins[e] + v] = difference(e, v);
  });
  return lists;
}

/// Makes NodeInterpolation::children, the transpose of the places. Lists are distinguished without
/// being stored, by 128 bits: sums of random numbers, one for each entry of a pattern, and of their
/// squares.
InterpolationTables::Lists lists_of_children(const std::vector<std::uint32_t> &places,
                                             const LevelTransfer &transfer,
                                             const int n_threads)
{
  constexpr auto relaxed       = std::memory_order_relaxed;
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const std::size_t n_parents  = transfer.n_coarse_nodes;
  struct Family
  {
    std::atomic<std::uint64_t> sum, sum_of_squares;
    std::atomic<std::uint32_t> n;
    std::atomic<std::uint32_t> twin; // The child at the same place, or none.
  };
  const auto families = cpu::untouched_array<Family>(n_parents);
  cpu::parallel_for(n_threads, n_parents, [&](const std::size_t parent) {
    families[parent].sum.store(0, relaxed);
    families[parent].sum_of_squares.store(0, relaxed);
    families[parent].n.store(0, relaxed);
    families[parent].twin.store(none, relaxed);
  });
  const auto element = [&](const std::size_t node) {
    return places[node] >> NodeInterpolation::bits_of_place;
  };
  // body(the nodes of a coarse element, begin, end) is called for runs of fine nodes in one coarse
  // element. Most nodes are in such runs.
  const auto for_each_run = [&](const auto &body) {
    cpu::parallel_ranges(cpu::parts_of_loop(n_threads, places.size()),
                         places.size(),
                         [&](std::size_t begin, const std::size_t last) {
                           while (begin < last)
                             {
                               std::size_t end = begin + 1;
                               while (end < last && element(end) == element(begin))
                                 ++end;
                               body(transfer.parent_nodes[element(begin)], begin, end);
                               begin = end;
                             }
                         });
  };

  // (1) Compute the numbers that distinguish the lists, from differences to the twins.
  cpu::parallel_for(n_threads, places.size(), [&](const std::size_t node) {
    if (NodeInterpolation::place(places[node]).log2_parents() == 0)
      NodeInterpolation::for_each_parent(
        places[node], transfer.parent_nodes, [&](const LocalIndex parent) {
          lower(families[parent].twin, static_cast<std::uint32_t>(node));
        });
  });
  for_each_run([&](const auto &parents, const std::size_t begin, const std::size_t end) {
    std::uint32_t twins[8], n[8] = {};
    std::uint64_t sums[8] = {}, sums_of_squares[8] = {};
    for (std::size_t v = 0; v < 8; ++v)
      twins[v] = families[parents[v]].twin.load(relaxed);
    for (std::size_t node = begin; node < end; ++node)
      {
        const LatticePlace place         = NodeInterpolation::place(places[node]);
        const std::uint32_t log2_parents = place.log2_parents();
        place.for_each_vertex([&](const std::uint32_t v) {
          const std::uint64_t difference = static_cast<std::uint32_t>(node) - twins[v];
          const std::uint64_t bits       = mixed_bits(difference << 2 | log2_parents);
          sums[v] += bits;
          sums_of_squares[v] += bits * bits;
          ++n[v];
        });
      }
    for (std::size_t v = 0; v < 8; ++v)
      if (n[v] > 0)
        {
          Family &family = families[parents[v]];
          family.sum.fetch_add(sums[v], relaxed);
          family.sum_of_squares.fetch_add(sums_of_squares[v], relaxed);
          family.n.fetch_add(n[v], relaxed);
        }
  });
  const std::vector<std::uint32_t> first_equal = cpu::first_equal_rows(
    n_threads,
    n_parents,
    [&](const std::size_t parent) { return mixed_bits(families[parent].sum.load(relaxed)); },
    [&](const std::size_t a, const std::size_t b) {
      return families[a].sum.load(relaxed) == families[b].sum.load(relaxed) &&
             families[a].sum_of_squares.load(relaxed) == families[b].sum_of_squares.load(relaxed) &&
             families[a].n.load(relaxed) == families[b].n.load(relaxed);
    });

  // (2) Store the children of the first node that has a pattern, from the last place to the first,
  //     and ascending.
  InterpolationTables::Lists lists =
    begin_patterns(n_threads, first_equal, [&](const std::size_t parent) {
      return 1 + families[parent].n.load(relaxed);
    });
  const auto has_pattern = [&](const std::size_t parent) { return first_equal[parent] == parent; };
  cpu::parallel_for(n_threads, n_parents, [&](const std::size_t parent) {
    if (has_pattern(parent))
      lists.patterns[lists.begins[parent]] = families[parent].n.load(relaxed);
  });
  for_each_run([&](const auto &parents, const std::size_t begin, const std::size_t end) {
    if (std::none_of(parents.begin(), parents.end(), has_pattern))
      return;
    for (std::size_t node = begin; node < end; ++node)
      {
        const LatticePlace place = NodeInterpolation::place(places[node]);
        const auto entry         = static_cast<std::uint32_t>(node) << 2 | place.log2_parents();
        place.for_each_vertex([&](const std::uint32_t v) {
          if (const LocalIndex parent = parents[v]; has_pattern(parent))
            lists.patterns[lists.begins[parent] + families[parent].n.fetch_sub(1, relaxed)] = entry;
        });
      }
  });

  // (3) The first child is the base.
  cpu::parallel_for(n_threads, n_parents, [&](const std::size_t parent) {
    if (!has_pattern(parent))
      return;
    std::uint32_t *const pattern = lists.patterns.data() + lists.begins[parent];
    std::sort(pattern + 1, pattern + 1 + pattern[0]);
    lists.bases[parent] = pattern[0] > 0 ? pattern[1] >> 2 : 0;
    for (std::uint32_t k = 1; k <= pattern[0]; ++k)
      pattern[k] -= lists.bases[parent] << 2;
  });
  cpu::parallel_for(n_threads, n_parents, [&](const std::size_t parent) {
    const std::uint32_t first = first_equal[parent];
    if (first != parent)
      lists.bases[parent] = lists.bases[first] + families[parent].twin.load(relaxed) -
                            families[first].twin.load(relaxed);
  });
  return lists;
}
} // namespace

InterpolationTables InterpolationTables::build(const ElementMesh &fine,
                                               const LevelTransfer &transfer,
                                               const int n_threads)
{
  constexpr std::size_t most_nodes    = std::size_t(1) << 30;
  constexpr std::size_t most_elements = std::size_t(1) << (32 - NodeInterpolation::bits_of_place);
  if (fine.n_owned_nodes > most_nodes)
    throw Error("Multigrid can number " + std::to_string(most_nodes) +
                  " nodes of a rank, and the mesh has " + std::to_string(fine.n_owned_nodes) + ".",
                Remedy::use_more_ranks);
  if (transfer.parent_nodes.size() > most_elements)
    throw Error("Multigrid can number " + std::to_string(most_elements) +
                  " coarse elements of a rank, and there are " +
                  std::to_string(transfer.parent_nodes.size()) + ".",
                Remedy::use_more_ranks);
  InterpolationTables tables;
  tables.places   = places_of_nodes(fine, transfer, n_threads);
  tables.elements = lists_of_elements(transfer.parent_nodes, n_threads);
  tables.children = lists_of_children(tables.places, transfer, n_threads);
  return tables;
}
} // namespace strut
