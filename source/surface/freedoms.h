// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/measures.h"

namespace strut
{
/// Where the vertices of a surface may go, so that its kept triangles keep their shape: a vertex that is on none of them
/// anywhere, one on a plane within it, one between two planes along the line in which they meet.
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

  /// The part of a step that vertex v may go.
  Point allowed(std::size_t v, const Point &step) const;

  std::vector<Kind> kinds;
  std::vector<Point> directions; ///< of the line, normal of the plane
};
} // namespace strut
