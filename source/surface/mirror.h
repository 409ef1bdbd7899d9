// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

#include <strut/mesh/symmetry_plane.h>

namespace strut
{
/// Returns the surface together with its image behind a plane. Kept triangles in the plane are
/// removed, and both halves share the vertices in it. Throws Error if the plane cuts through the
/// surface.
///
/// @param tolerance  largest distance from the plane of vertices that are moved into it, in units
///   of length
CutSurface
with_mirror_image(const CutSurface &surface, const SymmetryPlane &plane, double tolerance);
} // namespace strut
