// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

namespace strut
{
/// How many smoothing steps a level of multigrid takes: as many as its elements are times longer than
/// thick, but at least 3 and at most 10. A point smoother reduces errors along the thin side of an
/// element long before those along its other sides, so flat and long elements take more iterations. More
/// steps bring them down again, for about the same time in all (doc/theory.md).
///
/// The ratio is that of the longest to the shortest of an element's three mean edges; nine elements in ten
/// of the mesh have at most the one that counts. The same on any number of ranks. Collective.
unsigned int smoothing_steps_for(const Communicator &communicator, const ElementMesh &mesh);
} // namespace strut
