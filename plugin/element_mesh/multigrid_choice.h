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
} // namespace strut::plugin
