// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/triangle_mesh.h"

#include <cmath>

namespace strut
{
inline Point operator+(const Point &a, const Point &b)
{
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}
inline Point operator-(const Point &a, const Point &b)
{
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}
inline Point operator*(const double factor, const Point &a)
{
  return {{factor * a[0], factor * a[1], factor * a[2]}};
}
inline double dot(const Point &a, const Point &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point cross(const Point &a, const Point &b)
{
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
inline double length(const Point &a)
{
  return std::sqrt(dot(a, a));
}

/// The outward vector with twice the area of a triangle.
inline Point area_vector(const TriangleMesh &mesh, const Triangle &triangle)
{
  const Point &a = mesh.vertices[triangle[0]];
  return cross(mesh.vertices[triangle[1]] - a, mesh.vertices[triangle[2]] - a);
}
} // namespace strut
