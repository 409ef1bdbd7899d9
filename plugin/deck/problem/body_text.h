// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/deck_mesh.h>
#include <strut/mesh_summary.h>

#include <string>

#include "plugin/deck/mesh/bodies.h"

namespace strut
{
/// Returns a text such as "box [0, 4] x [0, 2] x [0, 2], material ids 3 'arm', 4".
std::string describe_body(const MeshBodies &bodies, std::size_t body, const MeshSummary &summary);

/// A line on the gap between a body and its nearest neighbour, if the body touches none and the gap
/// may be unintended. Collective.
/// @param tolerance  faces that are nearer to each other touch
std::string describe_gap(const Communicator &communicator,
                         const DeckMesh &mesh,
                         const MeshBodies &bodies,
                         std::size_t body,
                         double tolerance);
} // namespace strut
