// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>
#include <strut/plugin/dealii_classes.h>

#include <vector>

#include "plugin/element_mesh/cell_order.h"

namespace strut::plugin
{
/// A mesh whose cells were coarsened where they could be: eight children that are all cells of it gave way to their
/// parent. So a mesh that was refined here and there gets about an eighth of its cells. Cells beside each other may then be
/// two levels apart: to keep them closer took no fewer PCG iterations, and more cells.
struct CoarsenedCells
{
  std::vector<CellPlace> cells; ///< in the order of the elements (cell_order.h)
  std::vector<LocalIndex>
    first_child; ///< `[n_cells + 1]`: a cell has made place of eight finer ones from this one on, or was left whole

  bool was_left_whole(const std::size_t cell) const
  {
    return first_child[cell + 1] - first_child[cell] == 1;
  }
};

/// @param cells  in the order of the elements, cut into eight only, all of one rank
CoarsenedCells coarsen(const dealii::Triangulation<3, 3> &triangulation,
                       const std::vector<CellPlace> &cells);

/// Which vertices of the triangulation the cells have, `[n_cells][8]`.
std::vector<unsigned int> vertices_of(const dealii::Triangulation<3, 3> &triangulation,
                                      const std::vector<CellPlace> &cells);
} // namespace strut::plugin
