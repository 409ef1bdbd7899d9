// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut::plugin
{
/// A value of the cell of each element, `[n_elements]`. @param of_cell  gives it for a locally owned cell
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
} // namespace strut::plugin
