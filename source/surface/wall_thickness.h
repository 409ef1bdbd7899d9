// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

#include <optional>

namespace strut
{
/// How thick a body is where two sides of its surface face each other.
struct WallThickness
{
  double least       = 0.;
  double one_percent = 0.; ///< a hundredth of the area of such places is thinner
  Point place{};           ///< of the least, on the surface
};

/// From four points of each triangle along the inward normal to the surface again: a wall where that faces the point within 30
/// degrees, so that corners, where sides meet, are none. Of more than 20,000 triangles a part of them. Nothing if there is no
/// wall.
/// @param mesh  closed
std::optional<WallThickness> wall_thickness(const TriangleMesh &mesh, int n_threads);
} // namespace strut
