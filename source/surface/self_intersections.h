// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// The triangles that cross others of the same surface, ascending. Either an edge of one crosses
/// the other, or both fold onto each other at a common edge.
std::vector<std::uint32_t> self_intersections(const TriangleMesh &mesh, int n_threads);
} // namespace strut
