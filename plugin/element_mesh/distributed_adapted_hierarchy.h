// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/dealii_classes.h>
#include <strut/mesh/hierarchy.h>

#include <string>

namespace strut
{
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
