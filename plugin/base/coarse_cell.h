// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <cstdint>

namespace strut::plugin
{
/// The number of the coarse cell that a cell was refined from: its place in the file, or in what the
/// generator of the mesh made. The same on every rank and for any number of ranks. CellId's coarse cell is
/// not: in a parallel::distributed::Triangulation it is the number of a tree of p4est, which sorts the
/// coarse cells.
inline std::uint32_t coarse_cell_of(const dealii::CellAccessor<3, 3> &cell)
{
  if (cell.level() == 0)
    return static_cast<std::uint32_t>(cell.index());
  auto parent = cell.parent();
  while (parent->level() > 0)
    parent = parent->parent();
  return static_cast<std::uint32_t>(parent->index());
}
} // namespace strut::plugin
