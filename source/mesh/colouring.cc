// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/colouring.h"
#include "source/base/inverse_map.h"
#include "source/mesh/node_to_element.h"

#include <strut/base/exceptions.h>

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
      for (std::size_t v = 0; v < 8; ++v)
        {
          const LocalIndex node = mesh.connectivity[v * mesh.n_elements + order[next]];
          if (is_through[node]) // all elements around it were visited
            continue;
          is_through[node] = true;
          for (LocalIndex k = around.begin[node]; k < around.begin[node + 1]; ++k)
            add(around.entries[k] / 8);
        }
  return order;
}
} // namespace

Colouring Colouring::greedy(const ElementMesh &mesh)
{
  // One bit per colour at each node. Hexahedral meshes need far fewer than 64 (8 on a box).
  std::vector<std::uint64_t> taken(mesh.n_nodes, 0);
  std::vector<std::uint8_t> colour_of(mesh.n_elements, 0);
  std::size_t n_colours = 0;

  for (const LocalIndex e : breadth_first(mesh))
    {
      std::uint64_t used = 0;
      for (std::size_t v = 0; v < 8; ++v)
        used |= taken[mesh.connectivity[v * mesh.n_elements + e]];
      std::uint8_t colour = 0;
      while (colour < 64 && ((used >> colour) & 1) != 0)
        ++colour;
      if (colour == 64)
        throw Error("The mesh has a node that more than 64 elements share; no colouring was made.");
      for (std::size_t v = 0; v < 8; ++v)
        taken[mesh.connectivity[v * mesh.n_elements + e]] |= std::uint64_t(1) << colour;
      colour_of[e] = colour;
      n_colours    = std::max<std::size_t>(n_colours, colour + 1u);
    }
  InverseMap by_colour(colour_of, n_colours);
  return {std::move(by_colour.begin), std::move(by_colour.entries)};
}
} // namespace strut
