// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>
#include <strut/plugin/dealii_classes.h>

#include <mpi.h>

#include <limits>
#include <string>

namespace strut::plugin
{
/// Whether deal.II knows the owners of the coarser levels, as build_mesh_hierarchy() must: on one rank, and where the
/// triangulation was constructed with construct_multigrid_hierarchy and each rank knows the owners of the parents and
/// children of its cells. Collective.
bool knows_level_owners(const dealii::Triangulation<3, 3> &triangulation, MPI_Comm communicator);

/// The meshes that a globally refined one was made from: the levels of deal.II's triangulation, the
/// finest coarse one first, elements in the order of cell_order.h. Empty for a flat mesh. Collective.
///
/// Several ranks: the triangulation must have been constructed with construct_multigrid_hierarchy;
/// a parent belongs to the rank that owns its first child. One rank: any triangulation.
///
/// @param fine  made by build_element_mesh() from the same DoFHandler, with its constraints
/// @param n_levels_at_most  coarse levels; those beyond are left out
/// @param obstacle  why the levels end early, if they do: DoFs that cannot follow others there (coarse_ties.h)
/// @throws Error if the triangulation lacks the multigrid hierarchy
MeshHierarchy
build_mesh_hierarchy(const dealii::DoFHandler<3, 3> &dof_handler,
                     const ElementMesh &fine,
                     MPI_Comm communicator,
                     std::size_t n_levels_at_most = std::numeric_limits<std::size_t>::max(),
                     std::string *obstacle        = nullptr);
} // namespace strut::plugin
