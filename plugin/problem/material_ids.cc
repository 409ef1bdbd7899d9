// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/material_ids.h"

#include <deal.II/grid/tria.h>

namespace strut::plugin
{
std::vector<std::int32_t> material_ids(const dealii::Triangulation<3, 3> &triangulation,
                                       const ElementMesh &mesh)
{
  std::vector<std::int32_t> of_owned_cell;
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      of_owned_cell.push_back(static_cast<std::int32_t>(cell->material_id()));

  std::vector<std::int32_t> ids(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    ids[e] = of_owned_cell[mesh.element_to_cell[e]];
  return ids;
}
} // namespace strut::plugin
