// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace strut
{
using Point    = std::array<double, 3>;
using Triangle = std::array<std::uint32_t, 3>;

/// A surface of triangles that share their vertices. Closed, each edge has two triangles, which run along it in opposite
/// directions.
struct TriangleMesh
{
  std::vector<Point> vertices;
  std::vector<Triangle> triangles; ///< counter-clockwise as seen from outside
};
} // namespace strut
