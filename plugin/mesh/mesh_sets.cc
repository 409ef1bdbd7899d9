// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/mesh/mesh_sets.h"
#include "plugin/base/coarse_cell.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

namespace strut::plugin
{
namespace
{
/// Where a cell is within its coarse cell: the corner of the cell with vertex number 0 in units of the cell's
/// edge, and how many cells there are along an edge.
struct Place
{
  std::array<unsigned int, 3> at{};
  unsigned int n = 1;
};

Place place_in_coarse_cell(const dealii::CellId &id)
{
  Place place;
  for (const auto child : id.get_child_indices())
    {
      place.n *= 2;
      for (unsigned int d = 0; d < 3; ++d)
        place.at[d] = 2 * place.at[d] + (child >> d & 1u);
    }
  return place;
}

std::uint8_t bit(const unsigned int i)
{
  return static_cast<std::uint8_t>(1u << i);
}
} // namespace

bool is_on_coarse_face(const dealii::CellAccessor<3, 3> &cell, const unsigned int f)
{
  const Place place = place_in_coarse_cell(cell.id());
  return place.at[f / 2] == (f % 2 == 0 ? 0 : place.n - 1);
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
  vertices_.resize(sets.n_coarse_cells, 0);
  for (const auto &[cell, bits] : set.corners)
    vertices_[cell] |= bits;
}

bool SetSelection::has_cell(const dealii::CellAccessor<3, 3> &cell) const
{
  return !cells_.empty() && cells_[coarse_cell_of(cell)];
}

bool SetSelection::has_face(const dealii::CellAccessor<3, 3> &cell, const unsigned int f) const
{
  if (faces_.empty())
    return false;
  if ((faces_[coarse_cell_of(cell)] & bit(f)) == 0)
    return false;
  return is_on_coarse_face(cell, f);
}

bool SetSelection::has_vertex(const dealii::CellAccessor<3, 3> &cell, const unsigned int v) const
{
  if (vertices_.empty() && faces_.empty())
    return false;
  const std::uint32_t coarse  = coarse_cell_of(cell);
  const std::uint8_t faces    = faces_.empty() ? 0 : faces_[coarse];
  const std::uint8_t vertices = vertices_.empty() ? 0 : vertices_[coarse];
  if (faces == 0 && vertices == 0)
    return false;
  const Place place = place_in_coarse_cell(cell.id());
  // per direction: at the lower end, at the upper end, or between
  std::array<unsigned int, 3> at;
  for (unsigned int d = 0; d < 3; ++d)
    at[d] = place.at[d] + (v >> d & 1u);
  for (unsigned int d = 0; d < 3; ++d)
    if ((at[d] == 0 && (faces & bit(2 * d)) != 0) ||
        (at[d] == place.n && (faces & bit(2 * d + 1)) != 0))
      return true;
  // It is between nodes of the set if all vertices around it are: of the vertex, line, face or cell on
  // which it is.
  for (unsigned int w = 0; w < 8; ++w)
    {
      bool around = true;
      for (unsigned int d = 0; d < 3; ++d)
        around =
          around && (at[d] == 0 ? (w >> d & 1u) == 0 : at[d] != place.n || (w >> d & 1u) == 1);
      if (around && (vertices & bit(w)) == 0)
        return false;
    }
  return vertices != 0;
}
} // namespace strut::plugin
