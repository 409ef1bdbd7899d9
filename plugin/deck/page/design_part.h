// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

#include "source/surface/triangle_mesh.h"

namespace strut::plugin
{
/// The closed surface of a design for a look at it: at the level that encloses the volume of the design (surface.h), with
/// at most so many triangles. Each rank thins out its own part; then rank 0 joins and thins out the whole. Collective.
/// @param densities  `[n_elements]` @return on rank 0; empty on the others, and where the design has no material
TriangleMesh design_part(const Communicator &communicator,
                         const ElementMesh &mesh,
                         const std::vector<double> &densities,
                         unsigned int n_threads,
                         std::size_t most_triangles);

/// Triangles whose vertices are merged where they are at the same place.
/// @param places  `[n][3]` @param corners  `[3 n_triangles]`, numbers of places
TriangleMesh joined_at_places(const std::vector<double> &places,
                              const std::vector<std::uint32_t> &corners);
} // namespace strut::plugin
