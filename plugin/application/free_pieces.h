// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/dealii_classes.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <string>
#include <vector>

#include "source/mesh/rigid_motions.h"

namespace strut
{
/// Parts of an application's mesh, each connected by faces of its cells.
struct MeshPieces
{
  Bodies bodies;
  std::vector<std::size_t> n_cells; ///< number of active cells of each piece, on all ranks
};

/// Finds the pieces on the coarse cells, as refinement does not change them. Empty if the mesh is
/// one piece. Collective.
/// @param mesh  mesh made from the DoFHandler
MeshPieces find_pieces(const dealii::DoFHandler<3, 3> &dof_handler,
                       const ElementMesh &mesh,
                       const Communicator &communicator);

/// Lines about the pieces that can move although the other pieces are held, with their places and
/// motions. Empty if the constraints hold all pieces. Collective.
std::string describe_free_pieces(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const ElementMesh &mesh,
                                 const Communicator &communicator);
} // namespace strut
