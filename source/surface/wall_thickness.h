// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/largest_ball.h"
#include "source/surface/triangle_mesh.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strut
{
/// On which side of its surface a body is measured.
enum class SideOfSurface
{
  inside, ///< walls
  outside ///< gaps
};

/// How thick a body is, or how wide its gaps are, where two sides of its surface face each other.
struct WallThickness
{
  double least       = 0.;
  double one_percent = 0.; ///< a hundredth of the area of such places is thinner
  Point place{};           ///< of the least, on the surface
};

/// From four points of each triangle along the inward normal to the surface again: a wall where that faces the point within 30
/// degrees, so that corners, where sides meet, are none. Of more than 20,000 triangles a part of them. Nothing if there is no
/// wall. Gaps are measured along the outward normal.
/// @param mesh  closed
/// @param is_left_out  `[n_triangles]`, or empty: not 0 where nothing is measured from a triangle, nor to it
std::optional<WallThickness> wall_thickness(const TriangleMesh &mesh,
                                            int n_threads,
                                            SideOfSurface side = SideOfSurface::inside,
                                            const std::vector<std::uint8_t> &is_left_out = {});

/// Of the walls and gaps of a surface that was cut from a mesh: those that begin and end where the level has cut it, so that the
/// boundary of the mesh, planes of symmetry and parts that are no design make neither a member nor a gap.
struct MeasuredLengths
{
  std::optional<WallThickness> member, gap; ///< none: there is no such place
  std::optional<LargestBall> largest;       ///< in a member; measured_lengths() does not ask for it
};
/// @param of_walls, of_gaps  the surfaces that members and gaps are measured of; one or two
MeasuredLengths
measured_lengths(const CutSurface &of_walls, const CutSurface &of_gaps, int n_threads);
} // namespace strut
