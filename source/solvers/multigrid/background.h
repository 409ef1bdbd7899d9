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
/// background is a linear level (linear_level.h). Collective.
/// @param coarser  the meshes that the mesh was refined from
void add_background(const Communicator &communicator,
                    const ElementMesh &mesh,
                    MeshHierarchy &coarser,
                    int n_threads);

/// Index of the first coarser level that is a background, or the number of levels if there is none.
std::size_t first_background_level(const MeshHierarchy &coarser);
} // namespace strut
