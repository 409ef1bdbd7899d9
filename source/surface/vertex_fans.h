// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// Separates parts of a surface that meet in a single vertex. Each gets its own vertex, moved
/// slightly into its part, and within the planes that it keeps if possible. Then the surface is
/// two-manifold at its vertices, too.
///
/// @return the number of added vertices
std::size_t separate_fans(CutSurface &surface);
/// The vertices where parts of a surface meet only in that vertex.
std::vector<std::uint32_t> vertices_of_several_fans(const TriangleMesh &mesh);
} // namespace strut
