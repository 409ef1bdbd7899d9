// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>
#include <strut/plugin/dealii_classes.h>

#include <cstddef>
#include <string>

namespace strut::plugin
{
/// DoFs of the coarsest mesh that the direct solver factors after each change of the factors, at most:
/// about a second.
constexpr std::size_t most_coarse_dofs = 30000;

/// The coarser meshes of an application's mesh, or why multigrid cannot be had.
struct MultigridChoice
{
  MeshHierarchy coarser; ///< empty if there is an obstacle
  std::string obstacle;  ///< empty if there is none
};

/// @param mesh  made from the DoFHandler, with its constraints. Collective.
MultigridChoice choose_multigrid(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const ElementMesh &mesh,
                                 const Communicator &communicator);

/// Why the coarsest mesh is none for a direct solver; empty if it is one. @param coarser  not empty
/// Collective.
std::string why_too_fine(const Communicator &communicator, const MeshHierarchy &coarser);

/// "multigrid, 3 levels: 4096, 512, 64 elements", those that a cycle will use. Collective.
std::string describe_levels(const Communicator &communicator,
                            const ElementMesh &mesh,
                            const MeshHierarchy &coarser);
} // namespace strut::plugin
