// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <vector>

namespace strut
{
/// Collects a value for the cell of each element, `[n_elements]`. @param of_cell  returns the value
/// for a locally owned cell
template <typename T, typename OfCell>
std::vector<T> of_elements(const dealii::Triangulation<3, 3> &triangulation,
                           const ElementMesh &mesh,
                           const OfCell &of_cell)
{
  std::vector<T> of_owned_cells, result;
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      of_owned_cells.push_back(of_cell(*cell));
  result.reserve(mesh.n_elements);
  for (const auto number : mesh.element_to_cell)
    result.push_back(of_owned_cells[number]);
  return result;
}

/// The number of the coarse cell that a cell was refined from: its place in the file, or in the
/// generator's mesh. It is the same on every rank and for any number of ranks. CellId's coarse cell
/// is not suitable. In a parallel::distributed::Triangulation it is the number of a tree of p4est,
/// which sorts the coarse cells.
inline std::uint32_t coarse_cell_of(const dealii::CellAccessor<3, 3> &cell)
{
  if (cell.level() == 0)
    return static_cast<std::uint32_t>(cell.index());
  auto parent = cell.parent();
  while (parent->level() > 0)
    parent = parent->parent();
  return static_cast<std::uint32_t>(parent->index());
}

/// The key of a cell, with three bits per level. Levels above the finest leave the low bits zero.
/// Active cells do not overlap, so no two have the same key.
inline std::uint64_t key_of(const dealii::CellAccessor<3, 3> &cell, const unsigned int n_levels)
{
  const dealii::CellId id = cell.id();
  std::uint64_t key       = coarse_cell_of(cell);
  const auto &children    = id.get_child_indices();
  for (unsigned int level = 0; level + 1 < n_levels; ++level)
    key = key << 3 | (level < children.size() ? children[level] : 0);
  return key;
}

/// Numbers of the elements' cells that are the same for every partition of a mesh: the coarse cell,
/// then the child taken on each level.
///
/// deal.II's global active cell index is not suitable. It counts rank by rank, and p4est
/// distributes the cells in another order than that of deal.II's iterators.
inline std::vector<std::uint64_t> cell_keys(const dealii::DoFHandler<3> &dof_handler,
                                            const ElementMesh &mesh)
{
  const dealii::Triangulation<3> &triangulation = dof_handler.get_triangulation();
  const unsigned int n_levels                   = triangulation.n_global_levels();
  return of_elements<std::uint64_t>(triangulation, mesh, [&](const auto &cell) {
    return key_of(cell, n_levels);
  });
}
} // namespace strut
