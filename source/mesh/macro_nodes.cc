// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/macro_nodes.h"
#include "source/mesh/faces.h"

#include <limits>
#include <utility>

namespace strut
{
namespace
{
constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// The edge of a cell in a direction that contains a vertex, in deal.II's numbers.
unsigned int edge_number(const unsigned int direction, const unsigned int vertex)
{
  const unsigned int x = vertex & 1u, y = vertex >> 1 & 1u, z = vertex >> 2;
  return direction == 0 ? 2 + y + 4 * z : direction == 1 ? x + 4 * z : 8 + x + 2 * y;
}

/// The lower vertex of an edge, and its direction.
std::array<unsigned int, 2> edge_place(const unsigned int number)
{
  if (number >= 8)
    return {{number - 8, 2}};
  const unsigned int top = number >= 4 ? 4 : 0, in_plane = number % 4;
  return in_plane < 2 ? std::array<unsigned int, 2>{{in_plane + top, 1}}
                      : std::array<unsigned int, 2>{{2 * (in_plane - 2) + top, 0}};
}

} // namespace

MacroNodes::MacroNodes(const MacroMesh &macro,
                       const std::vector<std::uint32_t> &order,
                       const unsigned int n_refinements)
  : macro_(macro)
  , order_(order)
  , n_refinements_(n_refinements)
  , n_(1u << n_refinements)
  , of_vertices_(macro.vertices.size(), First{nobody, 0})
  , of_edges_(macro.edges.size(), First{nobody, 0})
  , of_faces_(macro.faces.size(), First{nobody, 0})
{
  const auto touch = [](First &first, const std::size_t position, const std::size_t number) {
    if (first.position == nobody)
      first = {static_cast<std::uint32_t>(position), static_cast<std::uint8_t>(number)};
  };
  for (std::size_t p = 0; p < order.size(); ++p)
    {
      const MacroMesh::Cell &cell = macro.cells[order[p]];
      for (std::size_t i = 0; i < 8; ++i)
        touch(of_vertices_[cell.vertices[i]], p, i);
      if (n_refinements == 0)
        continue; // all nodes are vertices of macro cells
      for (std::size_t i = 0; i < 12; ++i)
        touch(of_edges_[cell.edges[i]], p, i);
      for (std::size_t i = 0; i < 6; ++i)
        touch(of_faces_[cell.faces[i]], p, i);
    }
}

std::uint64_t MacroNodes::name(const std::uint64_t element, const unsigned int v) const
{
  const unsigned int bits = 3 * n_refinements_;
  std::uint32_t position  = static_cast<std::uint32_t>(element >> bits);
  At at{};
  for (unsigned int level = n_refinements_; level-- > 0;)
    for (unsigned int d = 0; d < 3; ++d)
      at[d] = 2 * at[d] + (element >> (3 * level + d) & 1u);
  unsigned int n_outer = 0, outer = 0, inner = 0;
  for (unsigned int d = 0; d < 3; ++d)
    {
      at[d] += v >> d & 1u;
      if (at[d] == 0 || at[d] == n_)
        {
          ++n_outer;
          outer = d;
        }
      else
        inner = d;
    }
  if (n_outer == 0)
    return name_in(position, at);

  const MacroMesh::Cell &cell = macro_.cells[order_[position]];
  if (n_outer == 1)
    at = on_face(cell, at, 2 * outer + (at[outer] == 0 ? 0 : 1), position);
  else if (n_outer == 2)
    at = along_edge(cell, at, inner, position);
  else
    {
      const First &first =
        of_vertices_[cell
                       .vertices[(at[0] > 0 ? 1 : 0) + (at[1] > 0 ? 2 : 0) + (at[2] > 0 ? 4 : 0)]];
      position = first.position;
      for (unsigned int d = 0; d < 3; ++d)
        at[d] = (first.number >> d & 1u) * n_;
    }
  return name_in(position, at);
}

std::array<std::uint64_t, 8> MacroNodes::names(const std::uint64_t element) const
{
  // The first element of a node at vertex v is the one below the node in each direction. It is this
  // element or the one before, and has the node as its last vertex.
  const std::uint64_t in_cell = (std::uint64_t(1) << (3 * n_refinements_)) - 1;
  std::array<std::array<std::uint64_t, 2>, 3> below{};
  std::array<std::array<bool, 2>, 3> is_outer{};
  for (unsigned int d = 0; d < 3; ++d)
    {
      const std::uint64_t bits = (every_third_bit << d) & in_cell;
      const std::uint64_t at   = element & bits;
      below[d]                 = {{(at - (std::uint64_t(1) << d)) & bits, at}};
      is_outer[d]              = {{at == 0, at == bits}};
    }
  std::array<std::uint64_t, 8> result;
  for (unsigned int v = 0; v < 8; ++v)
    {
      const unsigned int x = v & 1u, y = v >> 1 & 1u, z = v >> 2;
      result[v] = is_outer[0][x] || is_outer[1][y] || is_outer[2][z]
                    ? name(element, v)
                    : 8 * ((element & ~in_cell) | below[0][x] | below[1][y] | below[2][z]) + 7;
    }
  return result;
}

std::uint64_t MacroNodes::name_in(const std::uint32_t position, const At &at) const
{
  // the first of the elements around it in a cell is the lowest in each direction
  std::uint64_t element = position, vertex = 0;
  for (unsigned int d = 0; d < 3; ++d)
    if (at[d] > 0)
      vertex |= std::uint64_t(1) << d;
  for (unsigned int level = n_refinements_; level-- > 0;)
    {
      element <<= 3;
      for (unsigned int d = 0; d < 3; ++d)
        element |= std::uint64_t((at[d] - (at[d] > 0 ? 1 : 0)) >> level & 1u) << d;
    }
  return 8 * element + vertex;
}

MacroNodes::At MacroNodes::along_edge(const MacroMesh::Cell &from,
                                      const At &at,
                                      const unsigned int direction,
                                      std::uint32_t &position) const
{
  unsigned int lower = 0;
  for (unsigned int d = 0; d < 3; ++d)
    if (d != direction && at[d] > 0)
      lower |= 1u << d;
  const First &first         = of_edges_[from.edges[edge_number(direction, lower)]];
  position                   = first.position;
  const MacroMesh::Cell &to  = macro_.cells[order_[position]];
  const auto [vertex, along] = edge_place(first.number);
  At result{};
  for (unsigned int d = 0; d < 3; ++d)
    result[d] = (vertex >> d & 1u) * n_;
  result[along] = to.vertices[vertex] == from.vertices[lower] ? at[direction] : n_ - at[direction];
  return result;
}

MacroNodes::At MacroNodes::on_face(const MacroMesh::Cell &from,
                                   const At &at,
                                   const unsigned int number,
                                   std::uint32_t &position) const
{
  const First &first = of_faces_[from.faces[number]];
  if (&from == &macro_.cells[order_[first.position]])
    return at;
  position                  = first.position;
  const MacroMesh::Cell &to = macro_.cells[order_[position]];

  // the corner of the face at the origin of our coordinates, and our first direction, in the other
  // cell's frame
  const auto find = [&](const LocalIndex vertex) {
    unsigned int k = 0;
    while (k < 3 && to.vertices[face_vertex(first.number, k & 1u, k >> 1)] != vertex)
      ++k;
    return k;
  };
  const unsigned int origin = find(from.vertices[face_vertex(number, 0, 0)]);
  const unsigned int next   = find(from.vertices[face_vertex(number, 1, 0)]);
  std::uint32_t a = at[(number / 2 + 1) % 3], b = at[(number / 2 + 2) % 3];
  if (((origin ^ next) & 1u) == 0) // our first coordinate is its second one
    std::swap(a, b);
  const unsigned int d = first.number / 2;
  At result{};
  result[d]           = first.number % 2 * n_;
  result[(d + 1) % 3] = (origin & 1u) != 0 ? n_ - a : a;
  result[(d + 2) % 3] = (origin & 2u) != 0 ? n_ - b : b;
  return result;
}
} // namespace strut
