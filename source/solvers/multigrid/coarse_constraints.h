// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

namespace strut
{
/// Set the constrained DoFs of a coarse mesh, with value 0, from those of the next finer one, by the
/// rules of MeshHierarchy. Collective.
void constrain_coarse_dofs(const Communicator &communicator,
                           const ElementMesh &fine,
                           const LevelTransfer &transfer,
                           ElementMesh &coarse);

/// Put the nodes of a coarse mesh where those of the next finer one are at the same vertices, wherever these were moved
/// since the refinement. Collective.
void place_coarse_nodes(const Communicator &communicator,
                        const ElementMesh &fine,
                        const LevelTransfer &transfer,
                        ElementMesh &coarse);
} // namespace strut
