// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/adapted_hierarchy.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "plugin/element_mesh/element_mesh_builder.h"
#include "plugin/element_mesh/hanging_nodes.h"
#include "source/solvers/coarse_constraints.h"

namespace strut::plugin
{
namespace
{
using Triangulation = dealii::Triangulation<3, 3>;
using CellIterator  = Triangulation::cell_iterator;

constexpr LocalIndex nowhere = std::numeric_limits<LocalIndex>::max();

/// `[n_cells][8]`: vertices are the same on all levels.
std::vector<NodeKey> keys_of(const Triangulation &triangulation,
                             const std::vector<CellPlace> &cells)
{
  std::vector<NodeKey> keys;
  keys.reserve(8 * cells.size());
  for (const auto &[level, index] : cells)
    for (unsigned int v = 0; v < 8; ++v)
      keys.push_back(CellIterator(&triangulation, level, index)->vertex_index(v));
  return keys;
}

/// Which element a cell is, by level and index.
std::vector<std::vector<LocalIndex>> elements_by_place(const Triangulation &triangulation,
                                                       const std::vector<CellPlace> &cells)
{
  std::vector<std::vector<LocalIndex>> element(triangulation.n_levels());
  for (unsigned int level = 0; level < triangulation.n_levels(); ++level)
    element[level].assign(triangulation.n_raw_cells(level), nowhere);
  for (std::size_t e = 0; e < cells.size(); ++e)
    element[cells[e].level][cells[e].index] = static_cast<LocalIndex>(e);
  return element;
}

LevelTransfer make_transfer(const Triangulation &triangulation,
                            const std::vector<CellPlace> &fine_cells,
                            const std::vector<CellPlace> &coarse_cells,
                            const ElementMesh &coarse)
{
  const auto fine_element = elements_by_place(triangulation, fine_cells);
  const std::size_t n     = coarse_cells.size();
  LevelTransfer transfer;
  transfer.octants.resize(fine_cells.size());
  transfer.parents.resize(fine_cells.size());
  transfer.parent_nodes.resize(n);
  transfer.n_coarse_nodes = coarse.n_nodes;
  transfer.children.resize(8 * n);
  transfer.n_children = fine_cells.size();
  for (std::size_t e = 0; e < n; ++e)
    {
      const auto [level, index] = coarse_cells[e];
      for (std::size_t v = 0; v < 8; ++v)
        transfer.parent_nodes[e][v] = coarse.connectivity[v * n + e];
      const CellIterator cell(&triangulation, level, index);
      const LocalIndex same = fine_element[level][index];
      for (std::size_t c = 0; c < 8; ++c)
        {
          const LocalIndex child =
            same != nowhere ? same : fine_element[level + 1][cell->child_index(c)];
          transfer.children[c * n + e] = child;
          transfer.parents[child]      = static_cast<LocalIndex>(e);
          transfer.octants[child] =
            same != nowhere ? LevelTransfer::whole : static_cast<std::uint8_t>(c);
        }
    }
  return transfer;
}
} // namespace

MeshHierarchy build_adapted_hierarchy(const Triangulation &triangulation, const ElementMesh &fine)
{
  const dealii::IndexSet vertices = dealii::complete_index_set(triangulation.n_vertices());
  MeshHierarchy hierarchy;
  std::vector<CellPlace> fine_cells = order_active_cells(triangulation);
  for (int level = static_cast<int>(triangulation.n_levels()) - 2; level >= 0; --level)
    {
      CoarseLevel coarse;
      const std::vector<CellPlace> cells = order_cells_up_to(triangulation, level);
      const std::vector<NodeKey> keys    = keys_of(triangulation, cells);
      const NodeNumbering numbering(vertices, keys);
      fill_elements(triangulation, cells, keys, numbering, coarse.mesh);
      coarse.transfer = make_transfer(triangulation, fine_cells, cells, coarse.mesh);
      constrain_coarse_dofs(Communicator(MPI_COMM_SELF),
                            hierarchy.empty() ? fine : hierarchy.back().mesh,
                            coarse.transfer,
                            coarse.mesh);

      std::vector<LocalIndex> node_of(triangulation.n_vertices(), nowhere);
      for (const NodeKey key : keys)
        node_of[key] = numbering(key);
      coarse.mesh.dependent =
        hanging_rows(find_hanging_nodes(triangulation, cells), node_of, coarse.mesh);
      hierarchy.push_back(std::move(coarse));
      fine_cells = cells;
    }
  return hierarchy;
}

std::string obstacle_to_adapted_hierarchy(const Triangulation &triangulation,
                                          const ElementMesh &fine)
{
  for (const auto &cell : triangulation.cell_iterators())
    if (cell->has_children() && cell->n_children() != 8)
      return "some cells were not cut into eight. Multigrid wants isotropic refinement";

  const std::vector<CellPlace> cells = order_active_cells(triangulation);
  const auto hanging                 = find_hanging_nodes(triangulation, cells);
  std::vector<bool> hangs(fine.n_nodes, false);
  for (std::size_t e = 0; e < cells.size() && !hanging.empty(); ++e)
    {
      const CellIterator cell(&triangulation, cells[e].level, cells[e].index);
      for (std::size_t v = 0; v < 8; ++v)
        if (hanging.count(cell->vertex_index(static_cast<unsigned int>(v))) > 0)
          hangs[fine.connectivity[v * fine.n_elements + e]] = true;
    }
  const auto &dofs = fine.dependent.dofs;
  if (!std::all_of(dofs.begin(), dofs.end(), [&](const LocalIndex dof) { return hangs[dof / 3]; }))
    return "degrees of freedom depend on others elsewhere than at hanging nodes (periodicity, no normal "
           "flux), which coarser meshes do not know yet";
  return "";
}
} // namespace strut::plugin
