// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <cstddef>

namespace strut
{
/// Adds background levels (source/parallel/background_levels.h) behind a flat mesh, and behind a
/// coarsest mesh that is too large for the direct solver. Between quadratic elements and their
/// background is a linear level (linear_level.h). For elements other than hexahedra of eight nodes
/// the number of cells along an axis is rounded up from a quarter. Cells up to 1.25 times as wide
/// as wanted take more iterations (doc/studies/flat-meshes.md). Collective.
/// @param coarser  the meshes that the mesh was refined from
void add_background(const Communicator &communicator,
                    const ElementMesh &mesh,
                    MeshHierarchy &coarser,
                    int n_threads);

/// Index of the first coarser level that is a background, or the number of levels if there is none.
std::size_t first_background_level(const MeshHierarchy &coarser);
} // namespace strut
