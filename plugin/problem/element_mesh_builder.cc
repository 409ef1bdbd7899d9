// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/element_mesh_builder.h"

#include <deal.II/base/mpi.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/la_parallel_vector.h>

#include <strut/base/exceptions.h>
#include <strut/element/hexahedron.h>
#include <strut/mesh/ordering.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <unordered_map>

namespace strut::plugin
{
namespace
{
using GlobalDof    = dealii::types::global_dof_index;
using CellIterator = dealii::DoFHandler<3, 3>::active_cell_iterator;

std::vector<CellIterator> owned_cells(const dealii::DoFHandler<3, 3> &dof_handler)
{
  std::vector<CellIterator> cells;
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      cells.push_back(cell);
  return cells;
}

/// The order of the cells along the Hilbert curve through their centres.
std::vector<std::uint32_t> order_cells(const std::vector<CellIterator> &cells)
{
  const std::size_t n = cells.size();
  std::vector<double> centres(3 * n);
  for (std::size_t c = 0; c < n; ++c)
    for (int d = 0; d < 3; ++d)
      centres[d * n + c] = cells[c]->center()[d];
  return hilbert_order(centres, n);
}

/// Numbers the nodes: owned ones by first touch, then ghosts by owner and global index. A node goes
/// by the global index of its first DoF.
struct NodeNumbering
{
  std::unordered_map<GlobalDof, LocalIndex> number;
  std::vector<GlobalDof> ghosts;
  std::vector<unsigned int> ghost_owners;
  std::size_t n_owned = 0;
};

NodeNumbering number_nodes(const dealii::DoFHandler<3, 3> &dof_handler,
                           const std::vector<CellIterator> &cells,
                           const std::vector<std::uint32_t> &order,
                           MPI_Comm communicator)
{
  NodeNumbering numbering;
  const dealii::IndexSet &owned = dof_handler.locally_owned_dofs();
  std::set<GlobalDof> ghosts;
  bool torn = false;
  for (const std::uint32_t c : order)
    for (unsigned int v = 0; v < 8; ++v)
      {
        const GlobalDof dof = cells[c]->vertex_dof_index(v, 0);
        for (const unsigned int d : {1, 2})
          torn =
            torn || owned.is_element(cells[c]->vertex_dof_index(v, d)) != owned.is_element(dof);
        if (!owned.is_element(dof))
          ghosts.insert(dof);
        else if (numbering.number.emplace(dof, numbering.n_owned).second)
          ++numbering.n_owned;
      }
  torn = torn || 3 * numbering.n_owned != owned.n_elements();
  if (dealii::Utilities::MPI::max(torn ? 1u : 0u, communicator) > 0)
    throw Error(
      "The degrees of freedom are dealt out to the ranks in another way than the nodes: the "
      "three of a node belong to several ranks, or to one without a cell at the node.\n"
      "  Renumber them within each rank only.");

  dealii::IndexSet ghost_set(dof_handler.n_dofs());
  ghost_set.add_indices(ghosts.begin(), ghosts.end());
  ghost_set.compress();
  const std::vector<unsigned int> owners =
    dealii::Utilities::MPI::compute_index_owner(owned, ghost_set, communicator);

  std::vector<std::pair<unsigned int, GlobalDof>> by_owner;
  std::size_t k = 0;
  for (const GlobalDof dof : ghosts) // ascending, as in the index set
    by_owner.emplace_back(owners[k++], dof);
  std::sort(by_owner.begin(), by_owner.end());
  for (const auto &[owner, dof] : by_owner)
    {
      numbering.number[dof] = static_cast<LocalIndex>(numbering.n_owned + numbering.ghosts.size());
      numbering.ghosts.push_back(dof);
      numbering.ghost_owners.push_back(owner);
    }
  return numbering;
}

/// Who sends which nodes: each rank asks the owners of its ghosts for them.
HaloPattern build_halo(const NodeNumbering &numbering, MPI_Comm communicator)
{
  std::map<unsigned int, std::vector<GlobalDof>> wanted;
  std::map<unsigned int, std::pair<std::size_t, std::size_t>> ranges;
  for (std::size_t g = 0; g < numbering.ghosts.size(); ++g)
    {
      const unsigned int owner = numbering.ghost_owners[g];
      wanted[owner].push_back(numbering.ghosts[g]);
      const auto range     = ranges.emplace(owner, std::make_pair(g, g)).first;
      range->second.second = g + 1;
    }
  const std::map<unsigned int, std::vector<GlobalDof>> asked =
    dealii::Utilities::MPI::some_to_some(communicator, wanted);

  std::map<unsigned int, HaloPattern::Neighbour> neighbours;
  const auto first_ghost = numbering.n_owned;
  for (const auto &[rank, range] : ranges)
    {
      neighbours[rank].ghosts_begin = static_cast<std::uint32_t>(first_ghost + range.first);
      neighbours[rank].ghosts_end   = static_cast<std::uint32_t>(first_ghost + range.second);
    }
  for (const auto &[rank, dofs] : asked)
    for (const GlobalDof dof : dofs)
      neighbours[rank].send.push_back(numbering.number.at(dof));

  HaloPattern pattern;
  for (auto &[rank, neighbour] : neighbours)
    {
      neighbour.rank = static_cast<int>(rank);
      pattern.neighbours.push_back(std::move(neighbour));
    }
  return pattern;
}

/// Volumes of the elements; throws if the Jacobian of one is not positive.
void compute_volumes(ElementMesh &mesh, MPI_Comm communicator)
{
  mesh.volumes.resize(mesh.n_elements);
  unsigned long long inverted = 0;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8], G[3][8];
      for (int v = 0; v < 8; ++v)
        for (int d = 0; d < 3; ++d)
          X[d][v] = mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
      mesh.volumes[e] = 0;
      bool positive   = true;
      for (int q = 0; q < 8; ++q)
        {
          const double dx = hexahedron::gradients(X, q, G);
          positive        = positive && dx > 0;
          mesh.volumes[e] += dx;
        }
      if (!positive)
        ++inverted;
    }
  inverted = dealii::Utilities::MPI::sum(inverted, communicator);
  if (inverted > 0)
    throw Error("The mesh has " + std::to_string(inverted) +
                " inverted or degenerate elements (the Jacobian is not positive at some quadrature "
                "point).\n  Improve the mesh: no element may be folded or have collapsed edges.");
}
} // namespace

ElementMesh build_element_mesh(const dealii::DoFHandler<3, 3> &dof_handler, MPI_Comm communicator)
{
  const bool hanging = dof_handler.get_triangulation().has_hanging_nodes();
  if (dealii::Utilities::MPI::max(hanging ? 1u : 0u, communicator) > 0)
    throw Error("The mesh has hanging nodes (it is refined locally), which strut cannot use yet.\n"
                "  Refine it globally.");

  // (1) Elements along the curve, nodes by first touch.
  const std::vector<CellIterator> cells  = owned_cells(dof_handler);
  const std::vector<std::uint32_t> order = order_cells(cells);
  const NodeNumbering numbering          = number_nodes(dof_handler, cells, order, communicator);

  ElementMesh mesh;
  mesh.n_owned_nodes = numbering.n_owned;
  mesh.n_nodes       = numbering.n_owned + numbering.ghosts.size();
  mesh.n_elements    = cells.size();
  mesh.element_to_cell.assign(order.begin(), order.end());
  mesh.node_halo = build_halo(numbering, communicator);

  // (2) Coordinates, connectivity, and the way back to deal.II.
  mesh.coordinates.resize(3 * mesh.n_nodes);
  mesh.dof_indices.resize(3 * mesh.n_nodes);
  mesh.connectivity.resize(8 * mesh.n_elements);
  mesh.centres.assign(3 * mesh.n_elements, 0.);
  mesh.flags.assign(mesh.n_elements, DesignFlag::design);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const CellIterator &cell = cells[order[e]];
      for (unsigned int v = 0; v < 8; ++v)
        {
          const LocalIndex node = numbering.number.at(cell->vertex_dof_index(v, 0));
          mesh.connectivity[v * mesh.n_elements + e] = node;
          for (unsigned int d = 0; d < 3; ++d)
            {
              mesh.coordinates[d * mesh.n_nodes + node]   = cell->vertex(v)[d];
              mesh.dof_indices[3 * std::size_t(node) + d] = cell->vertex_dof_index(v, d);
              mesh.centres[d * mesh.n_elements + e] += cell->vertex(v)[d] / 8.;
            }
        }
    }
  compute_volumes(mesh, communicator);
  return mesh;
}

void set_constraints(const dealii::DoFHandler<3, 3> &dof_handler,
                     const PrescribedDofs &prescribed,
                     MPI_Comm communicator,
                     ElementMesh &mesh)
{
  dealii::IndexSet relevant;
  dealii::DoFTools::extract_locally_relevant_dofs(dof_handler, relevant);
  dealii::LinearAlgebra::distributed::Vector<double> constrained(dof_handler.locally_owned_dofs(),
                                                                 relevant,
                                                                 communicator);
  dealii::LinearAlgebra::distributed::Vector<double> values(constrained);
  for (const auto &[dof, value] : prescribed)
    {
      constrained(dof) = 1.;
      values(dof)      = value;
    }
  constrained.update_ghost_values();
  values.update_ghost_values();

  mesh.constrained_dofs.clear();
  mesh.constrained_values.clear();
  for (std::size_t i = 0; i < mesh.n_dofs(); ++i)
    if (constrained(mesh.dof_indices[i]) > 0.)
      {
        mesh.constrained_dofs.push_back(static_cast<LocalIndex>(i));
        mesh.constrained_values.push_back(values(mesh.dof_indices[i]));
      }
}
} // namespace strut::plugin
