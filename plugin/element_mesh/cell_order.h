// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>

#include <vector>

namespace strut
{
/// Level and index of a cell in deal.II.
struct CellPlace
{
  int level = 0;
  int index = 0;
};

// All meshes order their elements in the same way. Coarse cells with elements follow the Hilbert
// curve through their centres, and the children of a cell follow one another, down to the elements.
// So the eight children of a cell are consecutive, and its 64 grandchildren, half of which form a
// brick of 4 x 4 x 2.

/// The active cells that this rank owns.
std::vector<CellPlace> order_active_cells(const dealii::Triangulation<3, 3> &triangulation);

/// The cells of a level of multigrid that this rank owns, active or not.
std::vector<CellPlace> order_level_cells(const dealii::Triangulation<3, 3> &triangulation,
                                         int level);
} // namespace strut
