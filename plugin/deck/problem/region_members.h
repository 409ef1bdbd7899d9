// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/deck_mesh.h>
#include <strut/selected_part.h>

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace strut
{
class Region;

/// Nodes that this rank owns, in ascending order.
using NodeSet = std::vector<LocalIndex>;

/// The owned nodes of a region at which its expression holds: nodes of boundary faces with its
/// boundary ids, of elements with its material ids, or any nodes. Elements of other ranks count,
/// too. Collective.
/// @param sets  whether nodes of node sets on no face of the region belong to it
NodeSet
select_nodes(const DeckMesh &mesh, MPI_Comm communicator, const Region &region, bool sets = true);

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

/// Elements of this rank in ascending order.
using ElementSet = std::vector<LocalIndex>;

/// Selects the elements of a region by materials and centres. If the region has boundary ids,
/// elements also need a face there, or a centre at most `distance` from such a face. Collective.
ElementSet select_elements(const DeckMesh &mesh,
                           MPI_Comm communicator,
                           const Region &region,
                           double distance = 0.);

/// Summary of the set, for the log.
SelectedPart selected_elements(const ElementSet &elements, const DeckMesh &mesh);
} // namespace strut
