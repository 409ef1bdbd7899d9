// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/colouring.h"
#include "source/base/inverse_map.h"
#include "source/mesh/node_to_element.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace strut
{
namespace
{
/// The elements breadth first from the first one; then the next part of the mesh that is not
/// connected with it.
std::vector<LocalIndex> breadth_first(const ElementMesh &mesh)
{
  const NodeToElement around = NodeToElement::build(mesh);
  std::vector<LocalIndex> order;
  order.reserve(mesh.n_elements);
  std::vector<bool> seen(mesh.n_elements, false), is_through(mesh.n_nodes, false);
  const auto add = [&](const LocalIndex e) {
    if (!seen[e])
      {
        seen[e] = true;
        order.push_back(e);
      }
  };
  std::size_t next = 0;
  for (std::size_t first = 0; first < mesh.n_elements; ++first)
    for (add(static_cast<LocalIndex>(first)); next < order.size(); ++next)
      for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
        {
          const LocalIndex node = mesh.node(order[next], v);
          if (is_through[node]) // all elements around it were visited
            continue;
          is_through[node] = true;
          for (LocalIndex k = around.begin[node]; k < around.begin[node + 1]; ++k)
            add(around.entries[k] / mesh.type.n_nodes);
        }
  return order;
}
} // namespace

Colouring Colouring::greedy(const ElementMesh &mesh)
{
  // One bit per colour at each node. Hexahedra need far fewer than 64 (8 on a box); a word more is
  // taken where tetrahedra need them.
  std::vector<std::vector<std::uint64_t>> taken(1, std::vector<std::uint64_t>(mesh.n_nodes, 0));
  std::vector<std::uint16_t> colour_of(mesh.n_elements, 0);
  std::size_t n_colours = 0;

  for (const LocalIndex e : breadth_first(mesh))
    for (std::size_t word = 0;; ++word)
      {
        if (word == taken.size())
          taken.emplace_back(mesh.n_nodes, 0);
        std::uint64_t used = 0;
        for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
          used |= taken[word][mesh.node(e, v)];
        if (used == ~std::uint64_t(0))
          continue;
        std::uint16_t bit = 0;
        while (((used >> bit) & 1) != 0)
          ++bit;
        for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
          taken[word][mesh.node(e, v)] |= std::uint64_t(1) << bit;
        colour_of[e] = static_cast<std::uint16_t>(64 * word + bit);
        n_colours    = std::max<std::size_t>(n_colours, colour_of[e] + 1u);
        break;
      }
  InverseMap by_colour(colour_of, n_colours);
  return {std::move(by_colour.begin), std::move(by_colour.entries)};
}
} // namespace strut
