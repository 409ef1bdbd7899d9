// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
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

/// The surface of a design as the level of its densities cuts it from a mesh.
struct CutSurface
{
  TriangleMesh mesh;
  std::vector<double>
    sizes; ///< `[n_vertices]`, the shortest edge of the element that a vertex is of
  /// `[n_triangles]`: 1 on the boundary of the domain or of a part that is no design. Those keep their shape.
  std::vector<std::uint8_t> is_kept;
};
} // namespace strut
