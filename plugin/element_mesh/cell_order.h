// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

#include <vector>

namespace strut::plugin
{
/// Where deal.II keeps a cell.
struct CellPlace
{
  int level = 0;
  int index = 0;
};

// The order of the elements of every mesh: the coarse cells that hold some of them along the Hilbert
// curve through their centres, the children of a cell one after another, down to the elements. So
// the eight children of a cell are consecutive, and its 64 grandchildren, and half of these are a
// brick of 4 x 4 x 2.

/// The active cells that this rank owns.
std::vector<CellPlace> order_active_cells(const dealii::Triangulation<3, 3> &triangulation);

/// The cells of a level of multigrid that this rank owns, active or not.
std::vector<CellPlace> order_level_cells(const dealii::Triangulation<3, 3> &triangulation,
                                         int level);
} // namespace strut::plugin
