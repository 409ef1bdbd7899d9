// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// The surface as a file of triangles that share no vertices gives it to its readers: vertices at one place are one, and
/// triangles of which two corners are the same are gone.
TriangleMesh welded(const TriangleMesh &mesh);

/// Whether the surface of such a file is closed.
bool is_closed_in_file(const TriangleMesh &mesh, int n_threads);
} // namespace strut
