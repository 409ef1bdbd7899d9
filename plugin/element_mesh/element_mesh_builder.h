// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/types.h>

#include <strut/dealii_classes.h>
#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <array>
#include <map>
#include <vector>

#include "plugin/element_mesh/cell_order.h"
#include "plugin/element_mesh/node_numbering.h"

namespace strut
{
/// Makes the flat arrays of this rank from a DoFHandler of FESystem(FE_Q(1), 3). Any numbering of
/// its DoFs will do that leaves the three of a node to one rank. Elements are in the order of
/// cell_order.h, owned nodes by first touch, ghosts by owner. All elements are flagged as design;
/// no DoF is constrained. Collective.
///
/// @param nodes_apart  DoFs of nodes of other ranks that become ghosts although no element of this
/// rank has them
/// @throws Error for inverted elements, and for nodes whose DoFs are on several ranks
ElementMesh build_element_mesh(const dealii::DoFHandler<3, 3> &dof_handler,
                               MPI_Comm communicator,
                               const std::vector<std::array<NodeKey, 3>> &nodes_apart = {});

/// Does the same without volumes, for coarser meshes, whose elements may be inverted.
ElementMesh build_elements(const dealii::DoFHandler<3, 3> &dof_handler,
                           MPI_Comm communicator,
                           const std::vector<std::array<NodeKey, 3>> &nodes_apart = {});

/// Sets the numbers of nodes and elements, the coordinates and the connectivity.
/// @param keys  keys of the vertices of each cell, `[n_elements][8]`
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
