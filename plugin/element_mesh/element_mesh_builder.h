// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/types.h>

#include <strut/dealii_classes.h>
#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <array>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plugin/element_mesh/cell_order.h"

namespace strut
{
/// Key of a node, the same on all ranks: a global index, such as that of its first DoF.
using NodeKey = dealii::types::global_dof_index;

/// Exchange between ranks, in which each rank asks the owners of its ghosts for them. Collective.
/// @param wanted  nodes that each owner is asked for; the ghosts are numbered in this order
/// @param n_before  number of the first ghost
/// @param number_of  number on this rank of a node that another rank asks for
template <typename Key, typename NumberOf>
HaloPattern ask_owners(MPI_Comm communicator,
                       const std::map<unsigned int, std::vector<Key>> &wanted,
                       std::size_t n_before,
                       const NumberOf &number_of)
{
  std::map<unsigned int, HaloPattern::Neighbour> neighbours; // ranks in ascending order
  for (const auto &[rank, keys] : wanted)
    {
      neighbours[rank].ghosts_begin = static_cast<std::uint32_t>(n_before);
      n_before += keys.size();
      neighbours[rank].ghosts_end = static_cast<std::uint32_t>(n_before);
    }
  for (const auto &[rank, asked] : dealii::Utilities::MPI::some_to_some(communicator, wanted))
    for (const Key &key : asked)
      neighbours[rank].send.push_back(number_of(key));
  HaloPattern pattern;
  for (auto &[rank, neighbour] : neighbours)
    {
      neighbour.rank = static_cast<int>(rank);
      pattern.neighbours.push_back(std::move(neighbour));
    }
  return pattern;
}

/// Numbers of the nodes on this rank: the owned nodes by first touch, then the ghosts by owner and
/// key.
class NodeNumbering
{
public:
  /// Numbers the owned nodes among the keys.
  /// @param keys  in the order of the elements, with repetitions
  NodeNumbering(const dealii::IndexSet &owned, const std::vector<NodeKey> &keys);

  /// Numbers the nodes among the keys that other ranks own, replacing previous ghosts. Collective.
  /// @return the exchange pattern: each rank asks the owners of its ghosts for them
  HaloPattern number_ghosts(const std::vector<NodeKey> &keys, MPI_Comm communicator);

  std::size_t n_owned() const
  {
    return n_owned_;
  }
  std::size_t n_nodes() const
  {
    return n_owned_ + ghosts_.size();
  }
  LocalIndex operator()(NodeKey key) const;

private:
  dealii::IndexSet owned_keys_;
  /// Number of each owned node, by the position of its key in the index set.
  std::vector<LocalIndex> owned_;
  std::unordered_map<NodeKey, LocalIndex> ghosts_;
  std::size_t n_owned_ = 0;
};

/// Makes the flat arrays of this rank from a DoFHandler of an element that element_type_of() knows.
/// Any numbering of its DoFs will do that leaves the three of a node to one rank. Elements are in
/// the order of cell_order.h, owned nodes by first touch, ghosts by owner. All elements are flagged
/// as design; no DoF is constrained. Collective.
///
/// @param nodes_apart  DoFs of nodes of other ranks that become ghosts although no element of this
/// rank has them
/// @param mapping  places the nodes of quadratic elements; null for straight lines
/// @throws Error for inverted elements, for nodes whose DoFs are on several ranks, and for mappings
/// in which neighbours put a node at different places
ElementMesh build_element_mesh(const dealii::DoFHandler<3, 3> &dof_handler,
                               MPI_Comm communicator,
                               const std::vector<std::array<NodeKey, 3>> &nodes_apart = {},
                               const dealii::Mapping<3, 3> *mapping                   = nullptr);

/// Does the same without volumes, for coarser meshes, whose elements may be inverted.
ElementMesh build_elements(const dealii::DoFHandler<3, 3> &dof_handler,
                           MPI_Comm communicator,
                           const std::vector<std::array<NodeKey, 3>> &nodes_apart = {},
                           const dealii::Mapping<3, 3> *mapping                   = nullptr);

/// Sets the numbers of nodes and elements, the coordinates of the vertices and the connectivity.
/// @param keys  keys of the nodes of each cell, `[n_elements][mesh.type.n_nodes]`
void fill_elements(const dealii::Triangulation<3, 3> &triangulation,
                   const std::vector<CellPlace> &cells,
                   const std::vector<NodeKey> &keys,
                   const NodeNumbering &numbering,
                   ElementMesh &mesh);

/// Sets the coordinates of the ghosts to those of their owners. Collective.
void place_ghosts(ElementMesh &mesh, MPI_Comm communicator);

/// Computes the volumes of the elements. Collective.
/// @throws Error if the Jacobian of an element is not positive
void compute_volumes(ElementMesh &mesh, MPI_Comm communicator);

/// Prescribed displacements of owned DoFs, by global index.
using PrescribedDofs = std::map<dealii::types::global_dof_index, double>;

/// Sets the constrained DoFs of the mesh, including those on ghosts. Collective.
void set_constraints(const PrescribedDofs &prescribed, MPI_Comm communicator, ElementMesh &mesh);

/// Sets them from owned DoFs by their numbers on this rank, ascending, and their values.
/// Collective.
void set_constraints(const std::vector<LocalIndex> &owned_dofs,
                     const std::vector<double> &values,
                     MPI_Comm communicator,
                     ElementMesh &mesh);
} // namespace strut
