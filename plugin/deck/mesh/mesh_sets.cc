// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/mesh_sets.h"

#include <algorithm>

#include "source/mesh/faces.h"

namespace strut
{
namespace
{
std::uint8_t bit(const unsigned int i)
{
  return static_cast<std::uint8_t>(1u << i);
}
} // namespace

unsigned int edge_number(const unsigned int d, const unsigned int vertex)
{
  return 4 * d + (vertex >> (d + 1) % 3 & 1u) + 2 * (vertex >> (d + 2) % 3 & 1u);
}

void SetSelection::add(const MeshSets &sets, const MeshSets::Elements &set)
{
  cells_.resize(sets.n_coarse_cells, false);
  for (const std::uint32_t cell : set.cells)
    cells_[cell] = true;
}

void SetSelection::add(const MeshSets &sets, const MeshSets::Faces &set)
{
  faces_.resize(sets.n_coarse_cells, 0);
  for (const std::uint64_t face : set.faces)
    faces_[face / 6] |= bit(face % 6);
}

void SetSelection::add(const MeshSets &sets, const MeshSets::Nodes &set)
{
  std::vector<std::uint8_t> &vertices = set.grows ? vertices_ : points_;
  vertices.resize(sets.n_coarse_cells, 0);
  for (const auto &[cell, bits] : set.corners)
    vertices[cell] |= bits;
  edges_.resize(set.edges.empty() ? edges_.size() : sets.n_coarse_cells, 0);
  for (const auto &[cell, bits] : set.edges)
    edges_[cell] |= bits;
}

bool SetSelection::has_cell(const std::uint32_t coarse_cell) const
{
  return !cells_.empty() && cells_[coarse_cell];
}

bool SetSelection::has_face_of_nodes(const std::uint32_t coarse_cell, const unsigned int f) const
{
  const auto &corners = around_face[f];
  return !vertices_.empty() && std::all_of(corners.begin(), corners.end(), [&](const auto v) {
    return (vertices_[coarse_cell] & bit(v)) != 0;
  });
}

bool SetSelection::has_face(const std::uint32_t coarse_cell, const unsigned int f) const
{
  return !faces_.empty() && (faces_[coarse_cell] & bit(f)) != 0;
}

bool SetSelection::has_node(const PlaceInCoarseCell &place, const unsigned int v) const
{
  // position in each direction: at the lower end, at the upper end, or between
  std::array<unsigned int, 3> at;
  unsigned int corner = 0, along = 0, n_between = 0;
  for (unsigned int d = 0; d < 3; ++d)
    {
      at[d] = place.at[d] + (v >> d & 1u);
      if (at[d] == place.n)
        corner |= 1u << d;
      else if (at[d] != 0)
        {
          along = d;
          ++n_between;
        }
    }
  if (n_between == 0 && !points_.empty() && (points_[place.cell] & bit(corner)) != 0)
    return true;
  if (n_between == 1 && !edges_.empty() &&
      (edges_[place.cell] >> edge_number(along, corner) & 1u) != 0)
    return true;
  if (vertices_.empty() || vertices_[place.cell] == 0)
    return false;
  const std::uint8_t vertices = vertices_[place.cell];
  // A node is between nodes of the set if the set has all vertices of the coarse vertex, line, face
  // or cell on which the node lies.
  for (unsigned int w = 0; w < 8; ++w)
    {
      bool around = true;
      for (unsigned int d = 0; d < 3; ++d)
        around =
          around && (at[d] == 0 ? (w >> d & 1u) == 0 : at[d] != place.n || (w >> d & 1u) == 1);
      if (around && (vertices & bit(w)) == 0)
        return false;
    }
  return true;
}
} // namespace strut
