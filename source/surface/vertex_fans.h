// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// Where parts of a surface meet in one vertex alone, each gets a vertex of its own, moved a little into its part, and if
/// it can, within the planes that it keeps: then the surface is two-manifold at its vertices, too. @return how many vertices there are more
std::size_t separate_fans(CutSurface &surface);
/// The vertices in which parts of a surface meet and nothing else.
std::vector<std::uint32_t> vertices_of_several_fans(const TriangleMesh &mesh);
} // namespace strut
