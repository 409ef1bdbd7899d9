// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// The surface that readers get from a file of triangles without shared vertices. Vertices at one
/// place are united, and triangles with two equal corners are removed.
TriangleMesh welded(const TriangleMesh &mesh, int n_threads = 1);

/// Whether the surface in such a file is closed.
bool is_closed_in_file(const TriangleMesh &mesh, int n_threads);
} // namespace strut
