// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/dealii_classes.h>
#include <strut/mesh/element_mesh.h>

#include <string>

namespace strut
{
/// Lines about the pieces of an application's mesh, each connected by faces of its cells, that can
/// move although the other pieces are held, with their places and motions. Empty if the constraints
/// hold all pieces. Collective.
/// @param mesh  mesh made from the DoFHandler
std::string describe_free_pieces(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const ElementMesh &mesh,
                                 const Communicator &communicator);
} // namespace strut
