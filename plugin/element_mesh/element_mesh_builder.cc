// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/element_mesh_builder.h"

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping.h>

#include <deal.II/grid/tria.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "plugin/base/host_halo.h"
#include "plugin/element_mesh/finite_element.h"
#include "source/base/team.h"
#include "source/element/element_sizes.h"
#include "source/element/elements.h"

namespace strut
{
namespace
{
using ActiveCell = dealii::DoFHandler<3, 3>::active_cell_iterator;

constexpr LocalIndex untouched = std::numeric_limits<LocalIndex>::max();

/// Tolerance of the places of nodes, relative to a cell's diameter and to the coordinates: rounding
/// errors alone are smaller.
constexpr double rounding_of_cells = 1e-12, rounding_of_positions = 1e-14;

/// Calls `action(element, node, place)` with the place of each node by the mapping.
template <typename Action>
void for_each_node_place(const dealii::Mapping<3, 3> &mapping,
                         const dealii::DoFHandler<3, 3> &dof_handler,
                         const std::vector<CellPlace> &cells,
                         const Action &action)
{
  const dealii::FiniteElement<3> &fe = dof_handler.get_fe();
  const dealii::Quadrature<3> nodes(reference_nodes(fe));
  const dealii::FE_Nothing<3> nothing(fe.reference_cell());
  dealii::FEValues<3> mapped(mapping, nothing, nodes, dealii::update_quadrature_points);
  for (std::size_t e = 0; e < cells.size(); ++e)
    {
      mapped.reinit(dealii::Triangulation<3>::active_cell_iterator(&dof_handler.get_triangulation(),
                                                                   cells[e].level,
                                                                   cells[e].index));
      for (unsigned int a = 0; a < nodes.size(); ++a)
        action(e, a, mapped.quadrature_point(a));
    }
}

/// Places the nodes of quadratic elements where the mapping has them: a mapping that the caller
/// gives, or else one with straight lines. Collective.
/// @throws Error if two cells put a node that they share at different places
void place_nodes(const dealii::Mapping<3, 3> *const mapping,
                 const dealii::DoFHandler<3, 3> &dof_handler,
                 const std::vector<CellPlace> &cells,
                 MPI_Comm communicator,
                 ElementMesh &mesh)
{
  const dealii::ReferenceCell cell = dof_handler.get_fe().reference_cell();
  for_each_node_place(mapping != nullptr ? *mapping : cell.get_default_linear_mapping<3>(),
                      dof_handler,
                      cells,
                      [&](const std::size_t e, const std::size_t a, const dealii::Point<3> &place) {
                        for (unsigned int d = 0; d < 3; ++d)
                          mesh.coordinates[d * mesh.n_nodes + mesh.node(e, a)] = place[d];
                      });
  if (mapping == nullptr)
    return;
  place_ghosts(mesh, communicator);
  std::size_t n_torn = 0;
  dealii::Point<3> first;
  bool is_curved = false;
  for_each_node_place(*mapping,
                      dof_handler,
                      cells,
                      [&](const std::size_t e, const std::size_t a, const dealii::Point<3> &place) {
                        const auto at = [&](const std::size_t node) {
                          dealii::Point<3> x;
                          for (unsigned int d = 0; d < 3; ++d)
                            x[d] = mesh.coordinates[d * mesh.n_nodes + mesh.node(e, node)];
                          return x;
                        };
                        const double tolerance = rounding_of_cells * at(0).distance(at(1)) +
                                                 rounding_of_positions * place.norm();
                        if (!(at(a).distance(place) <= 1e4 * tolerance) && n_torn++ == 0)
                          first = place;
                        if (mesh.type == type_of<Tet10>() && a >= 4)
                          {
                            const int line = static_cast<int>(a) - 4;
                            const auto end = [&](const int k) {
                              return at(static_cast<std::size_t>(Tet10::line_vertex(line, k)));
                            };
                            is_curved =
                              is_curved || 0.5 * (end(0) + end(1) - 2. * at(a)).norm() > tolerance;
                          }
                      });
  const Communicator ranks(communicator);
  if (ranks.any(n_torn > 0))
    {
      std::ostringstream text;
      text << "The mapping puts nodes that cells share at different places, such as that at ("
           << first
           << ").\n  Give one in which neighbours agree, such as MappingQ<3>(2), or assemble with "
           << "straight lines.";
      throw Error(text.str());
    }
  if (ranks.any(is_curved))
    mesh.type = type_of<Tet10Curved>();
}
} // namespace

NodeNumbering::NodeNumbering(const dealii::IndexSet &owned, const std::vector<NodeKey> &keys)
  : owned_keys_(owned), owned_(owned.n_elements(), untouched)
{
  for (const NodeKey key : keys)
    if (owned_keys_.is_element(key))
      {
        LocalIndex &number = owned_[owned_keys_.index_within_set(key)];
        if (number == untouched)
          number = static_cast<LocalIndex>(n_owned_++);
      }
}

LocalIndex NodeNumbering::operator()(const NodeKey key) const
{
  return owned_keys_.is_element(key) ? owned_[owned_keys_.index_within_set(key)] : ghosts_.at(key);
}

HaloPattern NodeNumbering::number_ghosts(const std::vector<NodeKey> &keys, MPI_Comm communicator)
{
  ghosts_.clear();
  if (Communicator(communicator).size() == 1)
    return {};

  // (1) The owners of the ghosts.
  std::vector<NodeKey> others;
  for (const NodeKey key : keys)
    if (!owned_keys_.is_element(key))
      others.push_back(key);
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  // deal.II would wait forever for the owner of an invalid key.
  if (Communicator(communicator).any(!others.empty() && others.back() >= owned_keys_.size()))
    throw Error(
      "A cell has a node that no rank has numbered.\n  Distribute the degrees of freedom anew.");
  dealii::IndexSet other_keys(owned_keys_.size());
  other_keys.add_indices(others.begin(), others.end());
  other_keys.compress();
  const std::vector<unsigned int> owners =
    dealii::Utilities::MPI::compute_index_owner(owned_keys_, other_keys, communicator);

  // (2) Numbers of the ghosts, and messages to their owners.
  std::map<unsigned int, std::vector<NodeKey>> wanted; // ranks and keys in ascending order
  for (std::size_t k = 0; k < others.size(); ++k)
    wanted[owners[k]].push_back(others[k]);
  for (const auto &[rank, ghosts] : wanted)
    for (const NodeKey key : ghosts)
      ghosts_.emplace(key, static_cast<LocalIndex>(n_nodes()));
  return ask_owners(communicator, wanted, n_owned_, *this);
}

void place_ghosts(ElementMesh &mesh, MPI_Comm communicator)
{
  const std::size_t n = mesh.n_nodes;
  std::vector<double> points(3 * n);
  for (std::size_t i = 0; i < 3 * n; ++i)
    points[i] = mesh.coordinates[i % 3 * n + i / 3];
  update_ghosts(communicator, mesh, points);
  for (std::size_t i = 3 * mesh.n_owned_nodes; i < 3 * n; ++i)
    mesh.coordinates[i % 3 * n + i / 3] = points[i];
}

void compute_volumes(ElementMesh &mesh, MPI_Comm communicator)
{
  const std::size_t inverted =
    Communicator(communicator).sum(strut::compute_volumes(mesh, cpu::default_n_threads()));
  if (inverted > 0)
    throw Error("The mesh has " + std::to_string(inverted) +
                " inverted or degenerate elements (the Jacobian is not positive at some quadrature "
                "point).\n  Improve the mesh: no element may be folded or have collapsed edges.");
}

void fill_elements(const dealii::Triangulation<3, 3> &triangulation,
                   const std::vector<CellPlace> &cells,
                   const std::vector<NodeKey> &keys,
                   const NodeNumbering &numbering,
                   ElementMesh &mesh)
{
  const std::size_t n = cells.size(), n_local = mesh.type.n_nodes;
  mesh.n_owned_nodes = numbering.n_owned();
  mesh.n_nodes       = numbering.n_nodes();
  mesh.n_elements    = n;
  mesh.coordinates.resize(3 * mesh.n_nodes);
  mesh.connectivity.resize(n_local * n);
  for (std::size_t e = 0; e < n; ++e)
    {
      const dealii::TriaAccessor<3, 3, 3> cell(&triangulation, cells[e].level, cells[e].index);
      for (std::size_t a = 0; a < n_local; ++a)
        mesh.connectivity[a * n + e] = numbering(keys[n_local * e + a]);
      for (unsigned int v = 0; v < mesh.type.n_vertices; ++v)
        {
          const dealii::Point<3> &vertex = cell.vertex(v);
          for (unsigned int d = 0; d < 3; ++d)
            mesh.coordinates[d * mesh.n_nodes + mesh.node(e, v)] = vertex[d];
        }
    }
}

ElementMesh build_element_mesh(const dealii::DoFHandler<3, 3> &dof_handler,
                               MPI_Comm communicator,
                               const std::vector<std::array<NodeKey, 3>> &nodes_apart,
                               const dealii::Mapping<3, 3> *const mapping)
{
  ElementMesh mesh = build_elements(dof_handler, communicator, nodes_apart, mapping);
  compute_volumes(mesh, communicator);
  return mesh;
}

ElementMesh build_elements(const dealii::DoFHandler<3, 3> &dof_handler,
                           MPI_Comm communicator,
                           const std::vector<std::array<NodeKey, 3>> &nodes_apart,
                           const dealii::Mapping<3, 3> *const mapping)
{
  ElementMesh mesh;
  mesh.type                                        = element_type_of(dof_handler.get_fe()).value();
  const dealii::Triangulation<3, 3> &triangulation = dof_handler.get_triangulation();

  // (1) The elements, and the keys of their nodes, which are the first of their DoFs. deal.II is
  // asked for them once for each vertex, or for each cell if there are other nodes.
  const std::vector<CellPlace> cells = order_active_cells(triangulation);
  const auto cell_at                 = [&](const CellPlace &place) {
    return ActiveCell(&triangulation, place.level, place.index, &dof_handler);
  };
  const dealii::IndexSet &owned = dof_handler.locally_owned_dofs();
  const bool vertices_alone     = !is_quadratic(mesh.type);
  const std::size_t n_local     = mesh.type.n_nodes;
  const auto place_of = [&](const std::size_t e, const ActiveCell &cell, const unsigned int a) {
    return vertices_alone ? cell->vertex_index(a) : n_local * e + a;
  };
  std::vector<std::array<NodeKey, 3>> dofs_of(vertices_alone ? triangulation.n_vertices()
                                                             : n_local * cells.size(),
                                              {{dealii::numbers::invalid_dof_index}});
  std::vector<NodeKey> of_cell(3 * n_local), keys;
  keys.reserve(n_local * cells.size());
  bool torn = false;
  for (std::size_t e = 0; e < cells.size(); ++e)
    {
      const ActiveCell cell = cell_at(cells[e]);
      if (!vertices_alone)
        cell->get_dof_indices(of_cell);
      for (unsigned int a = 0; a < n_local; ++a)
        {
          std::array<NodeKey, 3> &dofs = dofs_of[place_of(e, cell, a)];
          if (dofs[0] == dealii::numbers::invalid_dof_index)
            for (unsigned int d = 0; d < 3; ++d)
              {
                dofs[d] = vertices_alone ? cell->vertex_dof_index(a, d) : of_cell[3 * a + d];
                torn    = torn || owned.is_element(dofs[d]) != owned.is_element(dofs[0]);
              }
          keys.push_back(dofs[0]);
        }
    }

  // (2) Nodes by first touch.
  NodeNumbering numbering(owned, keys);
  torn = torn || 3 * numbering.n_owned() != owned.n_elements();
  if (dealii::Utilities::MPI::max(torn ? 1u : 0u, communicator) > 0)
    throw Error(
      "The degrees of freedom are dealt out to the ranks in another way than the nodes: the "
      "three of a node belong to several ranks, or to one without a cell at the node.\n"
      "  Renumber them within each rank only.");
  std::vector<NodeKey> all_keys = keys;
  for (const std::array<NodeKey, 3> &node : nodes_apart)
    all_keys.push_back(node[0]);
  mesh.node_halo = numbering.number_ghosts(all_keys, communicator);
  fill_elements(triangulation, cells, keys, numbering, mesh);
  if (!vertices_alone)
    place_nodes(mapping, dof_handler, cells, communicator, mesh);
  mesh.flags.assign(mesh.n_elements, DesignFlag::design);

  // (3) The map back to deal.II.
  std::vector<LocalIndex> number_of(triangulation.n_active_cells()); // number among the owned cells
  LocalIndex n_owned_cells = 0;
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      number_of[cell->active_cell_index()] = n_owned_cells++;
  mesh.element_to_cell.resize(mesh.n_elements);
  mesh.dof_indices.resize(3 * mesh.n_nodes);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const ActiveCell cell   = cell_at(cells[e]);
      mesh.element_to_cell[e] = number_of[cell->active_cell_index()];
      for (unsigned int a = 0; a < n_local; ++a)
        std::copy_n(dofs_of[place_of(e, cell, a)].begin(),
                    3,
                    &mesh.dof_indices[3 * std::size_t(mesh.node(e, a))]);
    }
  for (const std::array<NodeKey, 3> &node : nodes_apart)
    std::copy_n(node.begin(), 3, &mesh.dof_indices[3 * std::size_t(numbering(node[0]))]);
  if (dealii::Utilities::MPI::max(nodes_apart.size(), communicator) > 0)
    place_ghosts(mesh, communicator);
  return mesh;
}

void set_constraints(const PrescribedDofs &prescribed, MPI_Comm communicator, ElementMesh &mesh)
{
  std::vector<LocalIndex> dofs;
  std::vector<double> values;
  for (std::size_t i = 0; i < mesh.n_owned_dofs(); ++i)
    {
      const auto entry = prescribed.find(mesh.dof_indices[i]);
      if (entry != prescribed.end())
        {
          dofs.push_back(static_cast<LocalIndex>(i));
          values.push_back(entry->second);
        }
    }
  set_constraints(dofs, values, communicator, mesh);
}

void set_constraints(const std::vector<LocalIndex> &owned_dofs,
                     const std::vector<double> &values,
                     MPI_Comm communicator,
                     ElementMesh &mesh)
{
  mesh.constrained_dofs   = owned_dofs;
  mesh.constrained_values = values;
  if (Communicator(communicator).size() == 1)
    return;

  // Ghosts have the numbers of their owners. Owners send for each DoF at the border whether it is
  // constrained, and its value.
  const HaloBorder border(mesh.node_halo);
  std::vector<double> of_border(6 * border.entities.size(), 0.);
  for (std::size_t i = 0; i < 3 * border.n_owned; ++i)
    {
      const LocalIndex dof = 3 * border.entities[i / 3] + static_cast<LocalIndex>(i % 3);
      const auto found     = std::lower_bound(owned_dofs.begin(), owned_dofs.end(), dof);
      if (found == owned_dofs.end() || *found != dof)
        continue;
      of_border[2 * i]     = 1.;
      of_border[2 * i + 1] = values[static_cast<std::size_t>(found - owned_dofs.begin())];
    }
  update_ghosts(communicator, border, of_border);
  std::vector<std::pair<LocalIndex, double>> of_ghosts;
  for (std::size_t i = 3 * border.n_owned; i < 3 * border.entities.size(); ++i)
    if (of_border[2 * i] > 0.)
      of_ghosts.emplace_back(3 * border.entities[i / 3] + static_cast<LocalIndex>(i % 3),
                             of_border[2 * i + 1]);
  std::sort(of_ghosts.begin(), of_ghosts.end());
  for (const auto &[dof, value] : of_ghosts)
    {
      mesh.constrained_dofs.push_back(dof);
      mesh.constrained_values.push_back(value);
    }
}
} // namespace strut
