// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/mesh/hierarchy.h>

#include <mpi.h>

#include <limits>
#include <string>

namespace strut
{
/// Whether deal.II knows the owners of the coarser levels, as build_mesh_hierarchy() requires. It
/// does on one rank. On several ranks the triangulation must have been constructed with
/// construct_multigrid_hierarchy, and each rank must know the owners of its cells' parents and
/// children. Collective.
bool knows_level_owners(const dealii::Triangulation<3, 3> &triangulation, MPI_Comm communicator);

/// The coarser meshes of a globally refined mesh: the levels of deal.II's triangulation, beginning
/// with the finest coarse one. Elements are in the order of cell_order.h. Empty for a mesh without
/// refinement. Collective.
///
/// On one rank any triangulation will do. On several ranks the triangulation must have been
/// constructed with construct_multigrid_hierarchy. A parent belongs to the rank that owns its first
/// child.
///
/// @param fine  made by build_element_mesh() from the same DoFHandler, with its constraints
/// @param n_levels_at_most  number of coarse levels after which the hierarchy ends
/// @param obstacle  reason why the levels end early, if they do: DoFs that cannot follow others
/// (coarse_ties.cc)
/// @throws Error if the triangulation lacks the multigrid hierarchy
MeshHierarchy
build_mesh_hierarchy(const dealii::DoFHandler<3, 3> &dof_handler,
                     const ElementMesh &fine,
                     MPI_Comm communicator,
                     std::size_t n_levels_at_most = std::numeric_limits<std::size_t>::max(),
                     std::string *obstacle        = nullptr);
} // namespace strut
