// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/measures.h"

namespace strut
{
/// Cosine of an angle of 0.001: smaller angles between normals count as one plane.
constexpr double same_plane = 1. - 5e-7;

/// The directions in which the vertices of a surface may move, so that its kept triangles keep
/// their shape. A vertex on none of them moves freely, one on a plane within it, and one between
/// two planes along their common line.
struct Freedoms
{
  enum class Kind : std::uint8_t
  {
    fixed,
    on_line,
    in_plane,
    anywhere
  };

  Freedoms(const CutSurface &surface, const VertexToTriangle &around);

  /// The allowed part of a step of vertex v.
  Point allowed(std::size_t v, const Point &step) const;

  std::vector<Kind> kinds;
  std::vector<Point> directions; ///< direction of the line, or normal of the plane
};
} // namespace strut
