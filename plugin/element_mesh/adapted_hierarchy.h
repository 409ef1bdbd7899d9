// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/dealii_classes.h>
#include <strut/mesh/hierarchy.h>

#include <string>

namespace strut
{
/// The coarser meshes of a locally refined mesh on one rank. Each results from the next finer one
/// by coarsening all cells that can be coarsened, down to the coarse mesh ("global coarsening",
/// Munch, Heister, Prieto Saavedra and Kronbichler 2023). Their hanging nodes are dependent DoFs.
/// So are DoFs that follow others on the finer mesh (coarse_ties.cc).
///
/// @param fine  made from a DoFHandler on this triangulation, with its constraints
/// @param obstacle  reason why the levels end early, if they do
MeshHierarchy build_adapted_hierarchy(const dealii::Triangulation<3, 3> &triangulation,
                                      const ElementMesh &fine,
                                      std::string &obstacle);

/// The obstacle of cells that were not cut into eight.
constexpr const char *anisotropic_refinement =
  "some cells were not cut into eight. Multigrid wants isotropic refinement";

/// The reason why there is no such hierarchy, as some cells were not cut into eight. Empty if there
/// is no obstacle.
std::string obstacle_to_adapted_hierarchy(const dealii::Triangulation<3, 3> &triangulation);

/// The coarser meshes of a locally refined mesh on several ranks. They are those of
/// build_adapted_hierarchy(), but neighbouring cells differ by at most one level, as p4est
/// requires. deal.II coarsens the triangulation; a coarse cell belongs to the rank that owns its
/// first descendant. Collective.
///
/// @param dof_handler  on a parallel::distributed::Triangulation
/// @param fine  made from it, with its constraints
/// @param obstacle  reason why the levels end early, if they do
MeshHierarchy build_distributed_adapted_hierarchy(const dealii::DoFHandler<3, 3> &dof_handler,
                                                  const ElementMesh &fine,
                                                  const Communicator &communicator,
                                                  std::string &obstacle);

/// The reason why there is no such hierarchy: another kind of triangulation, or cells that were not
/// cut into eight. Empty if there is no obstacle. Collective.
std::string
obstacle_to_distributed_adapted_hierarchy(const dealii::Triangulation<3, 3> &triangulation,
                                          const Communicator &communicator);
} // namespace strut
