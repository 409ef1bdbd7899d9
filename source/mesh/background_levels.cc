// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/background_levels.h"

#include <algorithm>
#include <utility>

#include "source/mesh/background_cells.h"

namespace strut
{
namespace
{
/// Cells as a mesh. @param spacing  of this grid
ElementMesh mesh_of(const BackgroundCells &cells,
                    const std::array<double, 3> &origin,
                    const std::array<double, 3> &spacing)
{
  ElementMesh mesh;
  const std::size_t n = mesh.n_elements = cells.size();
  mesh.n_nodes = mesh.n_owned_nodes = cells.n_nodes;
  mesh.coordinates.resize(3 * mesh.n_nodes);
  mesh.connectivity.resize(8 * n);
  for (std::size_t cell = 0; cell < n; ++cell)
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t v = 0; v < 8; ++v)
        mesh.coordinates[d * mesh.n_nodes + cells.nodes[cell][v]] =
          origin[d] + (cells.places[cell][d] + (v >> d & 1u)) * spacing[d];
  for (std::size_t cell = 0; cell < n; ++cell)
    for (std::size_t v = 0; v < 8; ++v)
      mesh.connectivity[v * n + cell] = cells.nodes[cell][v];
  return mesh;
}

/// Between cells and those of twice the size behind them.
LevelTransfer transfer_of(const BackgroundCells &fine,
                          const std::vector<LocalIndex> &parents,
                          const BackgroundCells &coarse)
{
  LevelTransfer transfer;
  transfer.parents        = parents;
  transfer.parent_nodes   = coarse.nodes;
  transfer.n_coarse_nodes = coarse.n_nodes;
  transfer.n_children     = fine.size();
  for (const BackgroundCells::Place &place : fine.places)
    transfer.octants.push_back(
      static_cast<std::uint8_t>((place[0] & 1u) | (place[1] & 1u) << 1 | (place[2] & 1u) << 2));

  StiffnessShares &shares = transfer.shares;
  shares.begin.assign(coarse.size() + 1, 0);
  for (const LocalIndex parent : parents)
    ++shares.begin[parent + 1];
  for (std::size_t cell = 0; cell < coarse.size(); ++cell)
    shares.begin[cell + 1] += shares.begin[cell];
  std::vector<LocalIndex> next(shares.begin.begin(), shares.begin.end() - 1);
  shares.elements.resize(fine.size());
  for (std::size_t cell = 0; cell < fine.size(); ++cell)
    shares.elements[next[parents[cell]]++] = static_cast<LocalIndex>(cell);
  shares.weights.assign(fine.size(), 1.f / 8.f); // where there are fewer, the rest is void
  return transfer;
}
} // namespace

MeshHierarchy background_levels(const ElementMesh &mesh,
                                const std::vector<double> &volumes,
                                const int n_threads,
                                const double spacing)
{
  MeshHierarchy levels;
  if (mesh.n_elements == 0)
    return levels;
  FirstBackground first             = put_cells_behind(mesh, volumes, spacing, n_threads);
  std::array<double, 3> of_the_grid = first.spacing;
  CoarseLevel level;
  level.mesh                    = mesh_of(first.cells, first.origin, of_the_grid);
  level.transfer.n_coarse_nodes = first.cells.n_nodes;
  level.transfer.n_children     = mesh.n_elements;
  level.transfer.parent_nodes   = first.cells.nodes;
  level.transfer.shares         = std::move(first.shares);
  level.transfer.places         = std::move(first.nodes);
  levels.push_back(std::move(level));

  BackgroundCells cells = std::move(first.cells);
  while (*std::max_element(cells.n_places.begin(), cells.n_places.end()) > 1)
    {
      std::vector<LocalIndex> parents;
      BackgroundCells coarse = put_cells_behind(cells, parents);
      for (double &h : of_the_grid)
        h *= 2.;
      CoarseLevel next;
      next.mesh     = mesh_of(coarse, first.origin, of_the_grid);
      next.transfer = transfer_of(cells, parents, coarse);
      levels.push_back(std::move(next));
      cells = std::move(coarse);
    }
  return levels;
}
} // namespace strut
