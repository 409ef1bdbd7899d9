// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

#include <optional>
#include <vector>

namespace strut
{
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
} // namespace strut
