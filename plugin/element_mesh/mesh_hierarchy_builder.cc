// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/mesh_hierarchy_builder.h"

#include <deal.II/base/mpi.h>

#include <deal.II/distributed/tria_base.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>

#include <deal.II/grid/cell_id.h>
#include <deal.II/grid/tria.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <map>
#include <memory>
#include <utility>

#include "plugin/element_mesh/constraint_lines.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "source/parallel/coarse_constraints.h"

namespace strut
{
namespace
{
using Triangulation = dealii::Triangulation<3, 3>;
using CellIterator  = Triangulation::cell_iterator;

constexpr LocalIndex no_element = std::numeric_limits<LocalIndex>::max();

/// Keys of the nodes of a level. On one rank the key is the vertex, which is the same on all
/// levels. On several ranks it is the level's DoF of a scalar element, which deal.II numbers across
/// the ranks.
class LevelNodes
{
public:
  LevelNodes(const Triangulation &triangulation, MPI_Comm communicator)
    : triangulation_(triangulation)
  {
    if (Communicator(communicator).size() == 1)
      return;
    scalar_ = std::make_unique<dealii::DoFHandler<3, 3>>(triangulation);
    scalar_->distribute_dofs(dealii::FE_Q<3>(1));
    scalar_->distribute_mg_dofs();
  }

  dealii::IndexSet owned(const int level) const
  {
    return scalar_ ? scalar_->locally_owned_mg_dofs(level)
                   : dealii::complete_index_set(triangulation_.n_vertices());
  }

  /// Keys of the vertices of the cells, `[n_cells][8]`.
  std::vector<NodeKey> keys(const std::vector<CellPlace> &cells) const
  {
    std::vector<NodeKey> result;
    result.reserve(8 * cells.size());
    for (const auto &[level, index] : cells)
      {
        if (scalar_)
          {
            const dealii::DoFHandler<3, 3>::level_cell_iterator cell(&triangulation_,
                                                                     level,
                                                                     index,
                                                                     scalar_.get());
            for (unsigned int v = 0; v < 8; ++v)
              result.push_back(cell->mg_vertex_dof_index(level, v, 0));
          }
        else
          {
            const CellIterator cell(&triangulation_, level, index);
            for (unsigned int v = 0; v < 8; ++v)
              result.push_back(cell->vertex_index(v));
          }
      }
    return result;
  }

private:
  const Triangulation &triangulation_;
  std::unique_ptr<dealii::DoFHandler<3, 3>> scalar_;
};

/// Element of each cell of the level, by the cell's index; a special value if there is none.
std::vector<LocalIndex> elements_by_index(const Triangulation &triangulation,
                                          const int level,
                                          const std::vector<CellPlace> &cells)
{
  const bool exists = level < static_cast<int>(triangulation.n_levels()); // on this rank
  std::vector<LocalIndex> element(exists ? triangulation.n_raw_cells(level) : 0, no_element);
  for (std::size_t e = 0; e < cells.size(); ++e)
    element[cells[e].index] = static_cast<LocalIndex>(e);
  return element;
}

/// Finds the octants of the fine elements, and the nodes of their parents.
void find_parents(const Triangulation &triangulation,
                  const LevelNodes &nodes,
                  const std::vector<CellPlace> &fine_cells,
                  NodeNumbering numbering, // numbering whose ghosts become those of the transfer
                  MPI_Comm communicator,
                  LevelTransfer &transfer)
{
  const std::size_t n = fine_cells.size();
  std::vector<CellPlace> parents; // consecutive children have the same parent
  transfer.parents.resize(n);
  transfer.octants.resize(n);
  for (std::size_t e = 0; e < n; ++e)
    {
      const auto [level, index] = fine_cells[e];
      const int parent_index    = CellIterator(&triangulation, level, index)->parent_index();
      if (parents.empty() || parents.back().index != parent_index)
        parents.push_back({level - 1, parent_index});
      transfer.parents[e] = static_cast<LocalIndex>(parents.size() - 1);
      const CellIterator parent(&triangulation, level - 1, parent_index);
      while (parent->child_index(transfer.octants[e]) != index)
        ++transfer.octants[e];
    }

  const std::vector<NodeKey> keys = nodes.keys(parents);
  transfer.coarse_nodes           = numbering.number_ghosts(keys, communicator);
  transfer.n_coarse_nodes         = numbering.n_nodes();
  transfer.parent_nodes.resize(parents.size());
  for (std::size_t p = 0; p < parents.size(); ++p)
    for (std::size_t v = 0; v < 8; ++v)
      transfer.parent_nodes[p][v] = numbering(keys[8 * p + v]);
}

/// Finds the children of the coarse elements; children on other ranks are ghosts.
void find_children(const Triangulation &triangulation,
                   const int coarse_level,
                   const std::vector<CellPlace> &coarse_cells,
                   const std::vector<CellPlace> &fine_cells,
                   MPI_Comm communicator,
                   LevelTransfer &transfer)
{
  const std::size_t n = coarse_cells.size();
  const std::vector<LocalIndex> element =
    elements_by_index(triangulation, coarse_level + 1, fine_cells);
  transfer.children.resize(8 * n);
  transfer.n_children = fine_cells.size();

  // (1) Our own children. Children of other ranks are collected by owner, in the order of our
  // elements.
  std::map<unsigned int, std::vector<dealii::CellId>> wanted;
  std::map<unsigned int, std::vector<std::size_t>> wanted_at;
  for (std::size_t e = 0; e < n; ++e)
    {
      const CellIterator cell(&triangulation, coarse_level, coarse_cells[e].index);
      for (std::size_t c = 0; c < 8; ++c)
        {
          const LocalIndex own         = element[cell->child_index(c)];
          transfer.children[c * n + e] = own;
          if (own == no_element)
            {
              const CellIterator child = cell->child(c);
              wanted[child->level_subdomain_id()].push_back(child->id());
              wanted_at[child->level_subdomain_id()].push_back(c * n + e);
            }
        }
    }
  if (Communicator(communicator).size() == 1)
    return;

  // (2) Messages to their owners.
  for (const auto &[rank, places] : wanted_at)
    for (const std::size_t place : places)
      transfer.children[place] = static_cast<LocalIndex>(transfer.n_children++);
  transfer.fine_elements =
    ask_owners(communicator, wanted, fine_cells.size(), [&](const dealii::CellId &id) {
      return element[triangulation.create_cell_iterator(id)->index()];
    });
}

/// Ties DoFs of a level as on the finer one. Returns false, and sets the obstacle, if they cannot
/// follow others. Collective.
bool tie_level(const Communicator &communicator,
               const Triangulation &triangulation,
               const std::vector<CellPlace> &cells,
               const std::vector<NodeKey> &keys,
               const dealii::IndexSet &owned_keys,
               NodeNumbering &numbering,
               const ElementMesh &fine,
               CoarseLevel &coarse,
               std::string &obstacle)
{
  ElementMesh &mesh          = coarse.mesh;
  const auto set_dof_indices = [&](const LocalIndex node, const NodeKey key) {
    for (std::size_t c = 0; c < 3; ++c)
      mesh.dof_indices[3 * std::size_t(node) + c] = 3 * key + c;
  };
  const auto set_all = [&](const std::vector<NodeKey> &all) {
    mesh.dof_indices.resize(mesh.n_dofs());
    for (const NodeKey key : all)
      set_dof_indices(numbering(key), key);
  };
  dealii::IndexSet owned(3 * owned_keys.size());
  for (auto interval = owned_keys.begin_intervals(); interval != owned_keys.end_intervals();
       ++interval)
    owned.add_range(3 * *interval->begin(), 3 * (interval->last() + 1));
  owned.compress();

  set_all(keys);
  const auto constraints =
    tie_coarse_dofs(communicator, fine, coarse.transfer, {}, owned, mesh, obstacle);
  if (!constraints)
    return false;
  if (communicator.any(!constraints->nodes_apart.empty()))
    {
      std::vector<NodeKey> all = keys;
      for (const auto &node : constraints->nodes_apart)
        all.push_back(node[0] / 3);
      mesh.node_halo = numbering.number_ghosts(all, communicator.mpi());
      fill_elements(triangulation, cells, keys, numbering, mesh);
      place_ghosts(mesh, communicator.mpi());
      set_all(all);
    }
  set_constraints(*constraints, owned, communicator, mesh);
  mesh.dof_indices = {};
  return true;
}

/// Whether this rank knows the owners of its level cells' parents and children. It does not for a
/// parallel::fullydistributed::Triangulation, in which parents of other ranks are artificial.
bool knows_relatives(const Triangulation &triangulation)
{
  for (const auto &cell : triangulation.cell_iterators())
    {
      if (!cell->is_locally_owned_on_level())
        continue;
      if (cell->level() > 0 && cell->parent()->is_artificial_on_level())
        return false;
      for (unsigned int c = 0; c < cell->n_children(); ++c)
        if (cell->child(c)->is_artificial_on_level())
          return false;
    }
  return true;
}
} // namespace

bool knows_level_owners(const Triangulation &triangulation, MPI_Comm mpi)
{
  const Communicator communicator(mpi);
  if (communicator.size() == 1)
    return true;
  const auto *const distributed =
    dynamic_cast<const dealii::parallel::TriangulationBase<3, 3> *>(&triangulation);
  return distributed != nullptr && distributed->is_multilevel_hierarchy_constructed() &&
         !communicator.any(!knows_relatives(triangulation));
}

MeshHierarchy build_mesh_hierarchy(const dealii::DoFHandler<3, 3> &dof_handler,
                                   const ElementMesh &fine,
                                   MPI_Comm communicator,
                                   const std::size_t n_levels_at_most,
                                   std::string *const obstacle)
{
  const Triangulation &triangulation = dof_handler.get_triangulation();
  const int finest                   = static_cast<int>(triangulation.n_global_levels()) - 1;
  MeshHierarchy hierarchy;
  if (finest == 0 || n_levels_at_most == 0)
    return hierarchy;
  if (!knows_level_owners(triangulation, communicator))
    throw Error(
      "The triangulation does not know the owners of its coarser levels.\n  Construct a "
      "parallel::distributed::Triangulation with the setting construct_multigrid_hierarchy.");

  const Communicator all_ranks(communicator);
  const bool is_tied = all_ranks.any(!fine.dependent.empty());
  const LevelNodes nodes(triangulation, communicator);
  std::vector<CellPlace> fine_cells = order_active_cells(triangulation);
  for (int level = finest - 1; level >= 0 && hierarchy.size() < n_levels_at_most; --level)
    {
      CoarseLevel coarse;
      const std::vector<CellPlace> cells = order_level_cells(triangulation, level);
      const std::vector<NodeKey> keys    = nodes.keys(cells);
      NodeNumbering numbering(nodes.owned(level), keys);
      coarse.mesh.node_halo = numbering.number_ghosts(keys, communicator);
      fill_elements(triangulation, cells, keys, numbering, coarse.mesh);

      find_parents(triangulation, nodes, fine_cells, numbering, communicator, coarse.transfer);
      find_children(triangulation, level, cells, fine_cells, communicator, coarse.transfer);
      const ElementMesh &finer = hierarchy.empty() ? fine : hierarchy.back().mesh;
      constrain_coarse_dofs(all_ranks, finer, coarse.transfer, coarse.mesh);
      std::string reason;
      if (is_tied && !tie_level(all_ranks,
                                triangulation,
                                cells,
                                keys,
                                nodes.owned(level),
                                numbering,
                                finer,
                                coarse,
                                reason))
        {
          if (obstacle != nullptr)
            *obstacle = reason;
          return hierarchy;
        }
      hierarchy.push_back(std::move(coarse));
      fine_cells = cells;
    }
  return hierarchy;
}
} // namespace strut
