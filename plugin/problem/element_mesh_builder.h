// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/types.h>

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <map>

namespace dealii
{
template <int, int>
class DoFHandler;
}

namespace strut::plugin
{
/// The flat arrays of this rank from a DoFHandler of FESystem(FE_Q(1), 3), with any numbering of its
/// DoFs that leaves the three of a node to one rank: elements along a Hilbert curve, owned nodes by
/// first touch, ghosts by owner. All elements are flagged as design; no DoF is constrained.
/// Collective.
///
/// @throws Error for hanging nodes, for inverted elements, and for nodes whose DoFs are torn apart
ElementMesh build_element_mesh(const dealii::DoFHandler<3, 3> &dof_handler, MPI_Comm communicator);

/// Prescribed displacements by global DoF index, of owned DoFs.
using PrescribedDofs = std::map<dealii::types::global_dof_index, double>;

/// Set the constrained DoFs of the mesh, those on ghosts included. Collective.
void set_constraints(const dealii::DoFHandler<3, 3> &dof_handler,
                     const PrescribedDofs &prescribed,
                     MPI_Comm communicator,
                     ElementMesh &mesh);
} // namespace strut::plugin
