// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/vector3.h"

#include <limits>

namespace strut
{
struct Ray
{
  Point begin, direction;
};

constexpr double is_missed = std::numeric_limits<double>::max();

/// The distance along a ray to its intersection with a triangle, in lengths of its direction
/// (Moeller and Trumbore 1997). It is is_missed if there is none, or only behind its origin.
inline double distance_along(const Ray &ray, const TriangleMesh &mesh, const Triangle &triangle)
{
  const Point &a = mesh.vertices[triangle[0]];
  const Point u = mesh.vertices[triangle[1]] - a, v = mesh.vertices[triangle[2]] - a,
              s            = ray.begin - a;
  const Point p            = cross(ray.direction, v);
  const double determinant = dot(u, p);
  if (determinant == 0.)
    return is_missed;
  const double first = dot(s, p) / determinant;
  const Point q      = cross(s, u);
  const double other = dot(ray.direction, q) / determinant, distance = dot(v, q) / determinant;
  return first >= 0. && other >= 0. && first + other <= 1. && distance > 0. ? distance : is_missed;
}
} // namespace strut
