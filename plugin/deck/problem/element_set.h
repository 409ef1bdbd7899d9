// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/deck_mesh.h>
#include <strut/plugin/selected_part.h>

#include <vector>

namespace strut::plugin
{
class Region;

/// Elements of this rank, ascending.
using ElementSet = std::vector<LocalIndex>;

/// The elements of a region: by their materials, their centres, and, if the region has boundary ids, by a
/// face there or by a centre at most this far from such a face. Collective.
ElementSet select_elements(const DeckMesh &mesh,
                           MPI_Comm communicator,
                           const Region &region,
                           double distance = 0.);

/// The set, for the log.
SelectedPart selected_elements(const ElementSet &elements, const DeckMesh &mesh);
} // namespace strut::plugin
