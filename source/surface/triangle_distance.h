// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/vector3.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace strut
{
/// The distance of a point from the segment from a to b, which may be a single point.
inline double distance_to_segment(const Point &x, const Point &a, const Point &b)
{
  const Point along    = b - a;
  const double squared = dot(along, along);
  const double at      = squared > 0. ? std::clamp(dot(x - a, along) / squared, 0., 1.) : 0.;
  return length(x - (a + at * along));
}

/// The distance of a point from a triangle, which may degenerate to a segment or a point.
inline double distance_to_triangle(const Point &x, const std::array<Point, 3> &triangle)
{
  const auto &[a, b, c] = triangle;
  const Point normal    = cross(b - a, c - a);
  // the projection is in the triangle if the point is on the inner side of all edges
  bool is_above = dot(normal, normal) > 0.;
  for (std::size_t k = 0; k < 3; ++k)
    is_above =
      is_above && dot(cross(triangle[(k + 1) % 3] - triangle[k], x - triangle[k]), normal) >= 0.;
  if (is_above)
    return std::abs(dot(x - a, normal)) / length(normal);
  return std::min(
    {distance_to_segment(x, a, b), distance_to_segment(x, b, c), distance_to_segment(x, c, a)});
}
} // namespace strut
