// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

#include <cstddef>
#include <string>
#include <vector>

#include "source/mesh/rigid_motions.h"

namespace strut::plugin
{
/// Parts of an application's mesh whose cells hang together by faces.
struct MeshPieces
{
  Bodies bodies;
  std::vector<std::size_t> n_cells; ///< active ones of each, on all ranks
};

/// Found on the coarse cells: refinement changes nothing about them. None if all is one piece. Collective.
/// @param mesh  made from the DoFHandler
MeshPieces find_pieces(const dealii::DoFHandler<3, 3> &dof_handler,
                       const ElementMesh &mesh,
                       const Communicator &communicator);

/// The pieces that may move though the others are held, by place and motion, in lines; empty if the constraints hold all. Collective.
std::string describe_free_pieces(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const ElementMesh &mesh,
                                 const Communicator &communicator);
} // namespace strut::plugin
