// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/deck_mesh.h>
#include <strut/selected_part.h>

#include <mpi.h>

#include <vector>

namespace strut
{
class Region;

/// Nodes that this rank owns, in ascending order.
using NodeSet = std::vector<LocalIndex>;

/// The owned nodes of a region at which its expression holds: nodes of boundary faces with its
/// boundary ids, of elements with its material ids, or any nodes. Elements of other ranks count,
/// too. Collective.
NodeSet select_nodes(const DeckMesh &mesh, MPI_Comm communicator, const Region &region);

/// Numbers of nodes of a region on its faces, and of others: nodes of node sets that are on no
/// whole face.
struct NodesByFaces
{
  std::uint64_t on_faces = 0, beside = 0;
};
NodesByFaces
count_nodes_by_faces(const DeckMesh &mesh, MPI_Comm communicator, const Region &region);

/// Summary of this rank's nodes of the set, for the log.
SelectedPart selected_nodes(const NodeSet &nodes, const DeckMesh &mesh, const Region &region);

/// The owned nodes where `|x_component - value| < tolerance`.
NodeSet select_plane(const DeckMesh &mesh, unsigned int component, double value, double tolerance);
} // namespace strut
