// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/self_intersections.h"
#include "source/base/parallel_loop.h"
#include "source/surface/box_tree.h"
#include "source/surface/vector3.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// Returns six times the volume of a tetrahedron.
double orientation(const Point &a, const Point &b, const Point &c, const Point &d)
{
  return dot(a - d, cross(b - d, c - d));
}

/// Whether the segment from p to q crosses a triangle.
bool goes_through(const Point &p,
                  const Point &q,
                  const TriangleMesh &mesh,
                  const Triangle &triangle)
{
  const Point &a = mesh.vertices[triangle[0]], &b = mesh.vertices[triangle[1]],
              &c    = mesh.vertices[triangle[2]];
  const double at_p = orientation(a, b, c, p), at_q = orientation(a, b, c, q);
  if ((at_p > 0.) == (at_q > 0.) || at_p == 0. || at_q == 0.)
    return false;
  const double ab = orientation(p, q, a, b), bc = orientation(p, q, b, c),
               ca = orientation(p, q, c, a);
  return (ab >= 0. && bc >= 0. && ca >= 0.) || (ab <= 0. && bc <= 0. && ca <= 0.);
}

/// Whether two triangles in one plane overlap by more than a border: no direction of the plane
/// separates them.
bool overlap_in_plane(const TriangleMesh &mesh, const Triangle &s, const Triangle &t)
{
  Point normal = area_vector(mesh, s);
  if (dot(normal, normal) == 0.)
    normal = area_vector(mesh, t);
  const double size = std::sqrt(length(normal));
  for (const Triangle &of : {s, t})
    for (std::size_t i = 0; i < 3; ++i)
      {
        const Point &begin    = mesh.vertices[of[i]];
        const Point direction = cross(normal, mesh.vertices[of[(i + 1) % 3]] - begin);
        double low[2], high[2];
        for (std::size_t k = 0; k < 2; ++k)
          {
            const Triangle &triangle = k == 0 ? s : t;
            low[k] = high[k] = dot(direction, mesh.vertices[triangle[0]] - begin);
            for (std::size_t v = 1; v < 3; ++v)
              {
                const double place = dot(direction, mesh.vertices[triangle[v]] - begin);
                low[k]             = std::min(low[k], place);
                high[k]            = std::max(high[k], place);
              }
          }
        const double rounding = 1e-9 * length(direction) * size;
        if (high[0] <= low[1] + rounding || high[1] <= low[0] + rounding)
          return false;
      }
  return size > 0.;
}

/// Whether all vertices of t are in the plane of s, up to rounding.
bool in_one_plane(const TriangleMesh &mesh, const Triangle &s, const Triangle &t)
{
  const Point &a     = mesh.vertices[s[0]];
  const Point normal = area_vector(mesh, s);
  for (const std::uint32_t v : t)
    {
      const Point way = mesh.vertices[v] - a;
      if (std::abs(dot(normal, way)) > 1e-9 * length(normal) * length(way))
        return false;
    }
  return true;
}

bool cross_each_other(const TriangleMesh &mesh, const Triangle &s, const Triangle &t)
{
  std::size_t n_common = 0, at_s = 0, at_t = 0; // indices of a common vertex in s and t
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (s[i] == t[k])
        {
          ++n_common;
          at_s = i;
          at_t = k;
        }
  if (n_common == 3)
    return true;
  if (n_common < 2 && in_one_plane(mesh, s, t))
    return overlap_in_plane(mesh, s, t);
  if (n_common == 2)
    {
      const Point m = area_vector(mesh, s), n = area_vector(mesh, t);
      const double sizes = length(m) * length(n);
      return sizes > 0. && dot(m, n) < -(1. - 1e-8) * sizes;
    }
  const auto edge_goes_through =
    [&mesh](const Triangle &a, const std::size_t i, const Triangle &b) {
      return goes_through(mesh.vertices[a[i]], mesh.vertices[a[(i + 1) % 3]], mesh, b);
    };
  if (n_common == 1) // the edges opposite to the common vertex
    return edge_goes_through(s, (at_s + 1) % 3, t) || edge_goes_through(t, (at_t + 1) % 3, s);
  for (std::size_t i = 0; i < 3; ++i)
    if (edge_goes_through(s, i, t) || edge_goes_through(t, i, s))
      return true;
  return false;
}
} // namespace

std::vector<std::uint32_t> self_intersections(const TriangleMesh &mesh, const int n_threads)
{
  const BoxTree tree(mesh, n_threads);
  std::vector<std::uint8_t> is_crossed(mesh.triangles.size(), 0);
  cpu::parallel_blocks(
    n_threads, mesh.triangles.size(), 1024, [&](const std::size_t begin, const std::size_t end) {
      for (std::size_t t = begin; t < end; ++t)
        is_crossed[t] = tree.any_meeting(t, [&](const std::uint32_t u) {
          return u != t && cross_each_other(mesh, mesh.triangles[t], mesh.triangles[u]);
        });
    });
  std::vector<std::uint32_t> crossed;
  for (std::size_t t = 0; t < is_crossed.size(); ++t)
    if (is_crossed[t] != 0)
      crossed.push_back(static_cast<std::uint32_t>(t));
  return crossed;
}
} // namespace strut
