// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

#include <optional>
#include <vector>

namespace strut
{
/// The largest ball in a body, where its middle is one of some points.
struct LargestBall
{
  double diameter = 0.;
  Point middle{};
};

/// The point that is farthest from a surface, and twice its distance; of several the first. Nothing without points or without
/// triangles that count. The same bits for any number of threads.
/// @param points  in the body @param surface  its kept triangles do not count: the boundary of a mesh ends no ball
std::optional<LargestBall>
largest_ball(const std::vector<Point> &points, const CutSurface &surface, int n_threads);
} // namespace strut
