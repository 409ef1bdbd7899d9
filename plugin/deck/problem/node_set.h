// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/deck_mesh.h>
#include <strut/plugin/selected_part.h>

#include <mpi.h>

#include <vector>

namespace strut::plugin
{
class Region;

/// Nodes that this rank owns, ascending.
using NodeSet = std::vector<LocalIndex>;

/// The owned nodes of a region: those of boundary faces with its boundary ids, or of elements with its
/// material ids, or any, at which its expression holds. Elements of other ranks count too. Collective.
NodeSet select_nodes(const DeckMesh &mesh, MPI_Comm communicator, const Region &region);

/// How many nodes of a region are on its faces, and how many are on none: nodes of node sets that have no whole face.
/// Collective.
struct NodesByFaces
{
  std::uint64_t on_faces = 0, beside = 0;
};
NodesByFaces
count_nodes_by_faces(const DeckMesh &mesh, MPI_Comm communicator, const Region &region);

/// This rank's nodes of the set, for the log.
SelectedPart selected_nodes(const NodeSet &nodes, const DeckMesh &mesh, const Region &region);

/// The owned nodes where `|x_component - value| < tolerance`.
NodeSet select_plane(const DeckMesh &mesh, unsigned int component, double value, double tolerance);
} // namespace strut::plugin
