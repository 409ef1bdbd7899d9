// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/mesh/hierarchy.h>

#include <vector>

#include "plugin/element_mesh/cell_order.h"

namespace strut
{
/// A mesh after coarsening: each parent whose eight children are all cells of the mesh has replaced
/// them. A locally refined mesh so gets about an eighth of its cells. Neighbouring cells may then
/// differ by two levels. Limiting the difference took more cells and no fewer PCG iterations.
struct CoarsenedCells
{
  std::vector<CellPlace> cells; ///< in the order of the elements (cell_order.h)
  /// First of the finer cells of each cell, `[n_cells + 1]`. A cell replaces eight of them, or is
  /// one of them.
  std::vector<LocalIndex> first_child;

  bool was_left_whole(const std::size_t cell) const
  {
    return first_child[cell + 1] - first_child[cell] == 1;
  }
};

/// @param cells  in the order of the elements, refined only by cutting into eight, all of one rank
CoarsenedCells coarsen(const dealii::Triangulation<3, 3> &triangulation,
                       const std::vector<CellPlace> &cells);

/// Vertices of the cells by their numbers in the triangulation, `[n_cells][8]`.
std::vector<unsigned int> vertices_of(const dealii::Triangulation<3, 3> &triangulation,
                                      const std::vector<CellPlace> &cells);
} // namespace strut
