// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/mesh/background_cells.h"

#include <strut/base/communicator.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The background cells of all ranks, united: the same on each rank, and the same cells as for the
/// whole mesh on one rank. Cells and nodes are numbered rank by rank; each belongs to the first
/// rank that has it.
struct UnitedCells
{
  BackgroundCells cells;
  std::vector<LocalIndex> cells_begin; ///< `[n_ranks + 1]`: the first cell that a rank owns
  std::vector<LocalIndex> nodes_begin; ///< `[n_ranks + 1]`: the first node that a rank owns

  /// The cells that elements of each rank touch. `[n_ranks]`
  std::vector<std::vector<LocalIndex>> of_ranks;
};

/// Unites the cells of the ranks. Cells at the same place are one if elements of two ranks that
/// touch them share a node. Collective.
///
/// @param own  cells of the mesh of this rank; of_ranks has them in the same order
UnitedCells
unite(const Communicator &communicator, const ElementMesh &mesh, const FirstBackground &own);

/// Makes cells of twice the size from them. Each belongs to the rank of the first cell in it. The
/// result is the same on each rank, without communication.
///
/// @param parents  on return, the parent of each finer cell
UnitedCells put_cells_behind(const UnitedCells &finer, std::vector<LocalIndex> &parents);
} // namespace strut
