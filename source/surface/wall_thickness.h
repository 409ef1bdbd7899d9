// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace strut
{
/// The side of a surface on which thickness is measured.
enum class SideOfSurface
{
  inside, ///< walls
  outside ///< gaps
};

/// The thickness of walls, or the width of gaps, where two sides of the surface face each other.
struct WallThickness
{
  double least       = 0.;
  double one_percent = 0.; ///< one per cent of the area of such places is thinner
  Point place{};           ///< place of the smallest thickness, on the surface
};

/// Measures walls from four points of each triangle along the inward normal to the opposite
/// surface. A wall counts if that surface faces the point within 30 degrees, which excludes
/// corners. Only a part of more than 20,000 triangles is used. Returns nothing if there is no wall.
/// Gaps are measured along the outward normal.
///
/// @param mesh  closed surface
/// @param is_left_out  `[n_triangles]`, or empty: nonzero for triangles that are ignored at both
///   ends
std::optional<WallThickness> wall_thickness(const TriangleMesh &mesh,
                                            int n_threads,
                                            SideOfSurface side = SideOfSurface::inside,
                                            const std::vector<std::uint8_t> &is_left_out = {});

/// The largest ball in a body whose centre is one of some points.
struct LargestBall
{
  double diameter = 0.;
  Point middle{};
};

/// Finds the point that is farthest from a surface, the first one if there are several; the
/// diameter is twice its distance. Returns nothing without points or without triangles that count.
/// It has the same bits for any number of threads.
///
/// @param points  points in the body
/// @param surface  its kept triangles do not count: the boundary of a mesh does not limit a ball
std::optional<LargestBall>
largest_ball(const std::vector<Point> &points, const CutSurface &surface, int n_threads);

/// Walls and gaps of a surface that was cut from a mesh. Only those count that begin and end on the
/// cut. So the boundary of the mesh, planes of symmetry and non-design parts form neither a member
/// nor a gap.
struct MeasuredLengths
{
  std::optional<WallThickness> member, gap; ///< empty if there is no such place

  /// Largest ball in a member; measured_lengths() does not set it.
  std::optional<LargestBall> largest;
};
/// @param of_walls,  of_gaps  surfaces for members and for gaps; they may be the same
MeasuredLengths
measured_lengths(const CutSurface &of_walls, const CutSurface &of_gaps, int n_threads);
} // namespace strut
