// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/parallel/communicator.h>

#include <string>
#include <vector>

namespace strut
{
/// The rigid motions that the supports leave free, in words ("translation along z", "rotation about
/// an axis along x"); empty if the structure is held. Collective.
///
/// From the 6x6 Gram matrix of the rigid motions on the constrained DoFs: its null space is what no
/// support sees. A mesh of several unconnected parts is looked at as one body.
std::vector<std::string> free_rigid_motions(const Communicator &communicator,
                                            const ElementMesh &mesh);
} // namespace strut
