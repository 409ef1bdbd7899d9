// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/connected_by_faces.h"
#include "source/mesh/faces.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include "source/base/atomic_minimum.h"
#include "source/base/filled_vector.h"
#include "source/base/forest.h"
#include "source/base/untouched_array.h"
#include "source/mesh/node_to_element.h"
#include "source/mesh/numbers_where.h"

namespace strut
{
namespace
{
constexpr LocalIndex no_element = std::numeric_limits<LocalIndex>::max();
constexpr unsigned int all_six  = 63;

/// One element of each node, which several threads set concurrently.
using ElementOfNode = std::unique_ptr<std::atomic<LocalIndex>[]>;

ElementOfNode no_elements(const std::size_t n_nodes, const int n_threads)
{
  ElementOfNode of_node = cpu::untouched_array<std::atomic<LocalIndex>>(n_nodes);
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    of_node[node].store(no_element, std::memory_order_relaxed);
  });
  return of_node;
}

/// Unites hexahedra that count with neighbours of the same orientation.
///
/// @return `[n_elements]`: bit f is set where face f of an element that counts is done. Bits of
///   other elements are meaningless.
std::vector<std::uint8_t> unite_alike(const ElementMesh &mesh,
                                      const std::vector<std::uint8_t> &counts,
                                      Forest &forest,
                                      const int n_threads)
{
  const std::size_t n               = mesh.n_elements;
  const LocalIndex *const nodes     = mesh.connectivity.data();
  const ElementOfNode with_vertex_0 = no_elements(mesh.n_nodes, n_threads);
  // if there are several, as between rotated cells, the last store wins: the faces of the others
  // stay open
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    with_vertex_0[nodes[e]].store(static_cast<LocalIndex>(e), std::memory_order_relaxed);
  });
  std::vector<std::uint8_t> done = cpu::filled_vector<std::uint8_t>(n_threads, n);
  // atomic, as other threads add, too
  const auto add = [&](const std::size_t e, const unsigned int bits) {
    __atomic_fetch_or(&done[e], static_cast<std::uint8_t>(bits), __ATOMIC_RELAXED);
  };
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    unsigned int upper = 0;
    for (std::size_t d = 0; d < 3; ++d)
      {
        const std::size_t normal = std::size_t(1) << d, a = std::size_t(1) << (d + 1) % 3,
                          b = std::size_t(1) << (d + 2) % 3;
        const LocalIndex other =
          with_vertex_0[nodes[normal * n + e]].load(std::memory_order_relaxed);
        if (other == no_element || (counts[e] | counts[other]) == 0)
          continue;
        const auto is_common = [&](const std::size_t v) {
          return nodes[(normal + v) * n + e] == nodes[v * n + other];
        };
        if (!is_common(a) || !is_common(b) || !is_common(a + b))
          continue;
        upper |= 2u << 2 * d;
        if (counts[other] != 0)
          add(other, 1u << 2 * d);
        if ((counts[e] & counts[other]) != 0)
          forest.unite(e, other);
      }
    if (counts[e] != 0 && upper != 0)
      add(e, upper);
  });
  return done;
}

/// Unites elements across the faces that are still open.
///
/// @param done  result of unite_alike()
void unite_turned(const ElementMesh &mesh,
                  const std::vector<std::uint8_t> &counts,
                  const std::vector<std::uint8_t> &done,
                  Forest &forest,
                  const int n_threads)
{
  const std::vector<LocalIndex> elements =
    numbers_where(n_threads, mesh.n_elements, [&](const std::size_t e) {
      return counts[e] != 0 && done[e] != all_six;
    });
  if (elements.empty())
    return;
  const NodeToElement around = NodeToElement::of_list(mesh, elements, n_threads);
  const auto is_at           = [&](const LocalIndex node, const LocalIndex i) {
    return std::find(around.entries.begin() + around.begin[node],
                     around.entries.begin() + around.begin[node + 1],
                     i) != around.entries.begin() + around.begin[node + 1];
  };
  cpu::parallel_for(n_threads, elements.size(), [&](const std::size_t i) {
    for (unsigned int f = 0; f < n_faces(mesh.type); ++f)
      if ((done[elements[i]] >> f & 1) == 0)
        {
          const std::array<LocalIndex, 4> face = nodes_of_face(mesh, elements[i], f);
          // the loop ends, since i is itself among the entries
          for (LocalIndex k = around.begin[face[0]]; around.entries[k] < i; ++k)
            if (const LocalIndex other = around.entries[k]; // first element across the face
                is_at(face[3], other) && is_at(face[1], other) && is_at(face[2], other))
              forest.unite(elements[i], elements[other]);
        }
  });
}

/// Unites elements across tied faces: the elements around a dependent node, and those around its
/// masters.
void unite_tied(const ElementMesh &mesh,
                const std::vector<std::uint8_t> &counts,
                Forest &forest,
                const int n_threads)
{
  const AffineRows &rows = mesh.dependent;
  if (rows.empty())
    return;
  const ElementOfNode first = no_elements(mesh.n_nodes, n_threads);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    if (counts[e] != 0)
      for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
        lower(first[mesh.node(e, v)], static_cast<LocalIndex>(e));
  });
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      {
        const LocalIndex a = first[rows.dofs[k] / mesh.n_components],
                         b = first[rows.masters[j] / mesh.n_components];
        if (a != no_element && b != no_element)
          forest.unite(a, b);
      }
}
} // namespace

std::array<LocalIndex, 4>
nodes_of_face(const ElementMesh &mesh, const std::size_t e, const unsigned int f)
{
  if (mesh.type.n_vertices == 4)
    {
      const std::array<unsigned int, 3> &triangle = around_triangle[f];
      return {{mesh.node(e, triangle[0]),
               mesh.node(e, triangle[1]),
               mesh.node(e, triangle[2]),
               mesh.node(e, triangle[2])}};
    }
  std::array<LocalIndex, 4> nodes;
  std::size_t n = 0;
  for (std::size_t v = 0; v < 8; ++v)
    if ((v >> f / 2 & 1) == f % 2)
      nodes[n++] = mesh.node(e, v);
  return nodes;
}

std::vector<LocalIndex> connected_by_faces(const ElementMesh &mesh,
                                           const std::vector<std::uint8_t> &counts,
                                           const int n_threads)
{
  Forest forest(mesh.n_elements, n_threads);
  {
    const std::vector<std::uint8_t> done =
      mesh.type.n_vertices == 8 ? unite_alike(mesh, counts, forest, n_threads)
                                : cpu::filled_vector<std::uint8_t>(n_threads, mesh.n_elements);
    unite_turned(mesh, counts, done, forest, n_threads);
  }
  unite_tied(mesh, counts, forest, n_threads);
  return std::move(forest).roots(n_threads);
}
} // namespace strut
