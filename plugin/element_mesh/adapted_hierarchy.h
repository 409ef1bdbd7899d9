// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>
#include <strut/plugin/dealii_classes.h>

#include <string>

namespace strut::plugin
{
/// The coarser meshes of a mesh that was refined here more often than there, on one rank: each is the next finer one with
/// all cells coarsened that can be ("global coarsening", Munch, Heister, Prieto Saavedra and Kronbichler 2023), down to
/// the coarse mesh. Their hanging nodes are dependent DoFs, and those that follow others on the finer one (coarse_ties.h).
///
/// @param fine  made from a DoFHandler on this triangulation, with its constraints
/// @param obstacle  why the levels end early, if they do
MeshHierarchy build_adapted_hierarchy(const dealii::Triangulation<3, 3> &triangulation,
                                      const ElementMesh &fine,
                                      std::string &obstacle);

/// Why there is no such hierarchy: cells that were not cut into eight. Empty if there is no obstacle.
std::string obstacle_to_adapted_hierarchy(const dealii::Triangulation<3, 3> &triangulation);
} // namespace strut::plugin
