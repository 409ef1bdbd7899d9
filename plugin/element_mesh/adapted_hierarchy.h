// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/mesh/hierarchy.h>

#include <string>

namespace strut
{
/// The coarser meshes of a locally refined mesh on one rank. Each results from the next finer one
/// by coarsening all cells that can be coarsened, down to the coarse mesh ("global coarsening",
/// Munch, Heister, Prieto Saavedra and Kronbichler 2023). Their hanging nodes are dependent DoFs.
/// So are DoFs that follow others on the finer mesh (coarse_ties.h).
///
/// @param fine  made from a DoFHandler on this triangulation, with its constraints
/// @param obstacle  reason why the levels end early, if they do
MeshHierarchy build_adapted_hierarchy(const dealii::Triangulation<3, 3> &triangulation,
                                      const ElementMesh &fine,
                                      std::string &obstacle);

/// The reason why there is no such hierarchy, as some cells were not cut into eight. Empty if there
/// is no obstacle.
std::string obstacle_to_adapted_hierarchy(const dealii::Triangulation<3, 3> &triangulation);
} // namespace strut
