// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/coarsened_cells.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include "source/base/parallel_loop.h"

namespace strut
{
CoarsenedCells coarsen(const dealii::Triangulation<3, 3> &triangulation,
                       const std::vector<CellPlace> &cells)
{
  constexpr std::size_t n_children = 8; // consecutive in the order of the elements
  const auto parent_of             = [&](const CellPlace &place) {
    return dealii::Triangulation<3>::cell_iterator(&triangulation, place.level, place.index)
      ->parent_index();
  };
  const auto siblings_begin = [&](const std::size_t e) {
    if (e + n_children > cells.size())
      return false;
    const CellPlace &first = cells[e], &last = cells[e + n_children - 1];
    return first.level > 0 && first.level == last.level && parent_of(first) == parent_of(last);
  };
  CoarsenedCells coarse;
  for (std::size_t e = 0; e < cells.size();)
    {
      coarse.first_child.push_back(static_cast<LocalIndex>(e));
      const bool gives_way = siblings_begin(e);
      coarse.cells.push_back(gives_way ? CellPlace{cells[e].level - 1, parent_of(cells[e])}
                                       : cells[e]);
      e += gives_way ? n_children : 1;
    }
  coarse.first_child.push_back(static_cast<LocalIndex>(cells.size()));
  return coarse;
}

std::vector<unsigned int> vertices_of(const dealii::Triangulation<3, 3> &triangulation,
                                      const std::vector<CellPlace> &cells)
{
  std::vector<unsigned int> vertices(8 * cells.size());
  cpu::parallel_for(cpu::default_n_threads(), cells.size(), [&](const std::size_t e) {
    const dealii::TriaAccessor<3, 3, 3> cell(&triangulation, cells[e].level, cells[e].index);
    for (unsigned int v = 0; v < 8; ++v)
      vertices[8 * e + v] = cell.vertex_index(v);
  });
  return vertices;
}
} // namespace strut
