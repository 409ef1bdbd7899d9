// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/deck_mesh.h>
#include <strut/selected_part.h>

#include <vector>

namespace strut
{
class Region;

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
