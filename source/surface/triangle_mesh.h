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

/// A surface of triangles that share their vertices. If it is closed, each edge has two triangles
/// with opposite directions.
struct TriangleMesh
{
  std::vector<Point> vertices;
  std::vector<Triangle> triangles; ///< counter-clockwise as seen from outside
};

/// The surface that a level of the densities cuts from a mesh.
struct CutSurface
{
  TriangleMesh mesh;
  std::vector<double>
    sizes; ///< `[n_vertices]`, shortest edge of the element that contains the vertex
  /// `[n_triangles]`: 1 on the boundary of the domain or of a non-design part. These triangles keep
  /// their shape.
  std::vector<std::uint8_t> is_kept;
};
} // namespace strut
