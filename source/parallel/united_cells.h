// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/mesh/background_cells.h"

#include <strut/base/communicator.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The background cells behind the parts of a mesh that the ranks have, as one: the same on each rank, and the same
/// cells as behind the whole mesh on one rank. Cells and nodes are numbered rank by rank, each belongs to the first
/// rank that has it.
struct UnitedCells
{
  BackgroundCells cells;
  std::vector<LocalIndex> cells_begin; ///< `[n_ranks + 1]`: the first cell that a rank owns
  std::vector<LocalIndex> nodes_begin; ///< `[n_ranks + 1]`: the first node that a rank owns

  /// The cells that elements of each rank touch. `[n_ranks]`
  std::vector<std::vector<LocalIndex>> of_ranks;
};

/// Unite them. Cells at the same place are one if elements of two ranks that touch them share a node. Collective.
/// @param own  behind the mesh of this rank; of_ranks has its cells in the same order
UnitedCells
unite(const Communicator &communicator, const ElementMesh &mesh, const FirstBackground &own);

/// Cells of twice the size behind them. Each belongs to the rank of the first cell in it. The same on each rank,
/// without a word between them.
/// @param parents  on return, of each finer cell
UnitedCells put_cells_behind(const UnitedCells &finer, std::vector<LocalIndex> &parents);
} // namespace strut
