// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/adapted_hierarchy.h"

#include <deal.II/base/mpi.h>

#include <deal.II/distributed/repartitioning_policy_tools.h>
#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>

#include <deal.II/grid/cell_id.h>
#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>

#include <deal.II/multigrid/mg_transfer_global_coarsening.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
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
using Dof           = dealii::types::global_dof_index;

/// Maps the active cells of a triangulation to elements, and back.
class ElementsOfCells
{
public:
  explicit ElementsOfCells(const Triangulation &triangulation)
    : triangulation_(triangulation)
    , cells_(order_active_cells(triangulation))
    , number_(triangulation.n_active_cells())
  {
    for (std::size_t e = 0; e < cells_.size(); ++e)
      number_[cell(e)->active_cell_index()] = static_cast<LocalIndex>(e);
  }

  std::size_t size() const
  {
    return cells_.size();
  }

  Triangulation::active_cell_iterator cell(const std::size_t e) const
  {
    return {&triangulation_, cells_[e].level, cells_[e].index};
  }

  /// @param cell  active cell of this rank
  LocalIndex number(const CellIterator &cell) const
  {
    return number_[Triangulation::active_cell_iterator(cell)->active_cell_index()];
  }

  CellIterator find(const dealii::CellId &id) const
  {
    return triangulation_.create_cell_iterator(id);
  }

private:
  const Triangulation &triangulation_;
  std::vector<CellPlace> cells_;
  /// Element of each active cell of this rank, by the cell's index.
  std::vector<LocalIndex> number_;
};

/// Message from the rank of a parent to the rank of its child.
struct Child
{
  dealii::CellId cell;
  std::uint8_t octant = 0;
  std::vector<NodeKey> parent; ///< nodes of the parent

  template <typename Archive>
  void serialize(Archive &archive, const unsigned int)
  {
    archive &cell &octant &parent;
  }
};

/// Keys of the element's nodes: the first DoF of each.
std::vector<NodeKey> keys_of(const ElementMesh &mesh, const std::size_t e)
{
  std::vector<NodeKey> keys;
  for (std::size_t v = 0; v < 8; ++v)
    keys.push_back(static_cast<NodeKey>(
      mesh.dof_indices[3 * std::size_t(mesh.connectivity[v * mesh.n_elements + e])]));
  return keys;
}

/// Transfer between the two meshes. The first child of a coarse element, or the element itself, is
/// on the same rank. That rank knows the other children, because they share a node, and tells their
/// ranks about the parent. Collective.
LevelTransfer make_transfer(const ElementsOfCells &fine,
                            const ElementsOfCells &coarse,
                            const ElementMesh &mesh,
                            const dealii::IndexSet &owned,
                            const Communicator &communicator)
{
  const std::size_t n = coarse.size();
  LevelTransfer transfer;
  transfer.octants.resize(fine.size());
  transfer.parents.resize(fine.size());
  transfer.children.resize(8 * n);
  transfer.n_children = fine.size();

  // (1) Our own children.
  std::map<unsigned int, std::vector<dealii::CellId>> wanted;
  std::map<unsigned int, std::vector<std::size_t>> wanted_at;
  std::map<unsigned int, std::vector<Child>> told;
  std::vector<NodeKey> keys; // nodes of the parents, ours first
  for (std::size_t e = 0; e < n; ++e)
    {
      const std::vector<NodeKey> nodes = keys_of(mesh, e);
      keys.insert(keys.end(), nodes.begin(), nodes.end());
      const CellIterator cell = fine.find(coarse.cell(e)->id());
      const bool whole        = cell->is_active();
      for (unsigned int c = 0; c < 8; ++c)
        {
          const Triangulation::active_cell_iterator child(whole ? cell : cell->child(c));
          const std::uint8_t octant = whole ? LevelTransfer::whole : static_cast<std::uint8_t>(c);
          if (child->is_locally_owned())
            {
              const LocalIndex number      = fine.number(child);
              transfer.children[c * n + e] = number;
              transfer.parents[number]     = static_cast<LocalIndex>(e);
              transfer.octants[number]     = octant;
              continue;
            }
          wanted[child->subdomain_id()].push_back(child->id());
          wanted_at[child->subdomain_id()].push_back(c * n + e);
          told[child->subdomain_id()].push_back({child->id(), octant, nodes});
        }
    }

  // (2) Children on other ranks.
  for (const auto &[rank, places] : wanted_at)
    for (const std::size_t place : places)
      transfer.children[place] = static_cast<LocalIndex>(transfer.n_children++);
  const auto number_of   = [&](const dealii::CellId &id) { return fine.number(fine.find(id)); };
  transfer.fine_elements = ask_owners(communicator.mpi(), wanted, fine.size(), number_of);
  for (const auto &[rank, children] :
       dealii::Utilities::MPI::some_to_some(communicator.mpi(), told))
    for (const Child &child : children)
      {
        const LocalIndex number  = number_of(child.cell);
        transfer.octants[number] = child.octant;
        transfer.parents[number] = static_cast<LocalIndex>(keys.size() / 8);
        keys.insert(keys.end(), child.parent.begin(), child.parent.end());
      }

  // (3) The nodes of the parents.
  NodeNumbering numbering(owned, {keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(8 * n)});
  transfer.coarse_nodes   = numbering.number_ghosts(keys, communicator.mpi());
  transfer.n_coarse_nodes = numbering.n_nodes();
  transfer.parent_nodes.resize(keys.size() / 8);
  for (std::size_t k = 0; k < keys.size(); ++k)
    transfer.parent_nodes[k / 8][k % 8] = numbering(keys[k]);
  return transfer;
}

/// Constraints of the hanging nodes of a mesh, except on DoFs that are constrained already.
/// Collective.
ConstraintLines lines_of(const dealii::DoFHandler<3, 3> &dof_handler, const ElementMesh &mesh)
{
  std::map<Dof, ConstraintLine> lines;
  for (const LocalIndex dof : mesh.constrained_dofs)
    if (dof < mesh.n_owned_dofs())
      {
        const auto index = static_cast<Dof>(mesh.dof_indices[dof]);
        lines[index]     = {index, {}, 0.};
      }
  dealii::AffineConstraints<double> hanging(
    dealii::DoFTools::extract_locally_relevant_dofs(dof_handler));
  dealii::DoFTools::make_hanging_node_constraints(dof_handler, hanging);
  const dealii::IndexSet &owned = dof_handler.locally_owned_dofs();
  for (const auto &line : hanging.get_lines())
    if (owned.is_element(line.index))
      lines.try_emplace(line.index,
                        ConstraintLine{line.index, {line.entries.begin(), line.entries.end()}, 0.});
  ConstraintLines result;
  for (auto &[dof, line] : lines)
    result.push_back(std::move(line));
  return result;
}

/// Whether DoFs of the mesh depend on others, except at hanging nodes. Collective.
bool is_tied_elsewhere(const dealii::DoFHandler<3, 3> &dof_handler,
                       const ElementMesh &fine,
                       const Communicator &communicator)
{
  dealii::AffineConstraints<double> hanging(
    dealii::DoFTools::extract_locally_relevant_dofs(dof_handler));
  dealii::DoFTools::make_hanging_node_constraints(dof_handler, hanging);
  const auto &dofs = fine.dependent.dofs;
  return communicator.any(!std::all_of(dofs.begin(), dofs.end(), [&](const LocalIndex dof) {
    return dof >= fine.n_owned_dofs() ||
           hanging.is_constrained(static_cast<Dof>(fine.dof_indices[dof]));
  }));
}
} // namespace

MeshHierarchy build_distributed_adapted_hierarchy(const dealii::DoFHandler<3, 3> &dof_handler,
                                                  const ElementMesh &fine,
                                                  const Communicator &communicator,
                                                  std::string &obstacle)
{
  const bool is_tied                 = is_tied_elsewhere(dof_handler, fine, communicator);
  const Triangulation &triangulation = dof_handler.get_triangulation();
  const auto sequence =
    dealii::MGTransferGlobalCoarseningTools::create_geometric_coarsening_sequence(
      triangulation, dealii::RepartitioningPolicyTools::FirstChildPolicy<3>(triangulation));
  const dealii::FESystem<3> element(dealii::FE_Q<3>(1), 3);
  MeshHierarchy hierarchy;
  auto finer = std::make_unique<ElementsOfCells>(triangulation);
  for (std::size_t l = sequence.size() - 1; l-- > 0;)
    {
      dealii::DoFHandler<3, 3> dofs(*sequence[l]);
      dofs.distribute_dofs(element);
      auto elements                 = std::make_unique<ElementsOfCells>(*sequence[l]);
      const dealii::IndexSet &owned = dofs.locally_owned_dofs();
      const ElementMesh &fine_mesh  = hierarchy.empty() ? fine : hierarchy.back().mesh;

      // (1) The nodes and their constraints. A second pass includes the masters of hanging nodes.
      CoarseLevel coarse;
      coarse.mesh     = build_elements(dofs, communicator.mpi());
      coarse.transfer = make_transfer(*finer, *elements, coarse.mesh, owned, communicator);
      constrain_coarse_dofs(communicator, fine_mesh, coarse.transfer, coarse.mesh);
      const ConstraintLines lines = lines_of(dofs, coarse.mesh);
      const std::optional<ResolvedConstraints> constraints =
        is_tied ? tie_coarse_dofs(
                    communicator, fine_mesh, coarse.transfer, lines, owned, coarse.mesh, obstacle)
                : resolve_constraints(dofs, lines, communicator);
      if (!constraints)
        return hierarchy;
      coarse.mesh = build_elements(dofs, communicator.mpi(), constraints->nodes_apart);
      set_constraints(*constraints, owned, communicator, coarse.mesh);

      // (2) The coordinates, as vertices may have moved since the refinement.
      place_coarse_nodes(communicator, fine_mesh, coarse.transfer, coarse.mesh);
      coarse.mesh.flags           = {};
      coarse.mesh.dof_indices     = {};
      coarse.mesh.element_to_cell = {};
      hierarchy.push_back(std::move(coarse));
      finer = std::move(elements);
    }
  return hierarchy;
}

std::string obstacle_to_distributed_adapted_hierarchy(const Triangulation &triangulation,
                                                      const Communicator &communicator)
{
  if (dynamic_cast<const dealii::parallel::distributed::Triangulation<3> *>(&triangulation) ==
      nullptr)
    return "not all cells were cut into eight equally often. On several ranks multigrid wants "
           "refine_global(), or a parallel::distributed::Triangulation";
  const std::string obstacle = obstacle_to_adapted_hierarchy(triangulation);
  return communicator.any(!obstacle.empty()) ? anisotropic_refinement : "";
}
} // namespace strut
