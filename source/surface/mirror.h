// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

#include <strut/mesh/symmetry_plane.h>

namespace strut
{
/// The surface together with its image behind a plane. Kept triangles that are in the plane go, and both halves share the
/// vertices in it.
/// Throws Error where the plane goes through the surface.
/// @param tolerance  how far from the plane vertices in it may be, in units of length; they are moved into it
CutSurface
with_mirror_image(const CutSurface &surface, const SymmetryPlane &plane, double tolerance);
} // namespace strut
