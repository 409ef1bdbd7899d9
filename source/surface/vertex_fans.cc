// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/vertex_fans.h"
#include "source/surface/freedoms.h"
#include "source/surface/vector3.h"

#include <algorithm>

namespace strut
{
namespace
{
/// The displacement relative to the size: at least the distance of cuts from nodes.
constexpr double distance = 1e-2;

/// The triangles around a vertex in fans, which are connected by edges at the vertex.
std::vector<std::vector<std::uint32_t>>
fans_around(const TriangleMesh &mesh, const VertexToTriangle &around, const std::uint32_t v)
{
  std::vector<std::uint32_t> left(around.triangles.begin() +
                                    static_cast<std::ptrdiff_t>(around.begin[v]),
                                  around.triangles.begin() +
                                    static_cast<std::ptrdiff_t>(around.begin[v + 1]));
  const auto are_neighbours = [&](const std::uint32_t s, const std::uint32_t t) {
    for (const std::uint32_t a : mesh.triangles[s])
      for (const std::uint32_t b : mesh.triangles[t])
        if (a == b && a != v)
          return true;
    return false;
  };
  std::vector<std::vector<std::uint32_t>> fans;
  while (!left.empty())
    {
      fans.push_back({left.back()});
      left.pop_back();
      for (std::size_t i = 0; i < fans.back().size(); ++i)
        {
          const auto begin = std::partition(left.begin(), left.end(), [&](const std::uint32_t t) {
            return !are_neighbours(fans.back()[i], t);
          });
          fans.back().insert(fans.back().end(), begin, left.end());
          left.erase(begin, left.end());
        }
    }
  return fans;
}
} // namespace

std::size_t separate_fans(CutSurface &surface)
{
  const std::size_t n_before = surface.mesh.vertices.size();
  const VertexToTriangle around(surface.mesh);
  std::vector<std::uint32_t> moved;
  for (std::uint32_t v = 0; v < n_before; ++v)
    {
      const auto fans = fans_around(surface.mesh, around, v);
      if (fans.size() < 2)
        continue;
      moved.push_back(v);
      for (std::size_t f = 1; f < fans.size(); ++f)
        {
          const auto copy = static_cast<std::uint32_t>(surface.mesh.vertices.size());
          moved.push_back(copy);
          surface.mesh.vertices.push_back(Point(surface.mesh.vertices[v]));
          surface.sizes.push_back(double(surface.sizes[v]));
          for (const std::uint32_t t : fans[f])
            std::replace(surface.mesh.triangles[t].begin(),
                         surface.mesh.triangles[t].end(),
                         v,
                         copy);
        }
    }
  if (moved.empty())
    return 0;
  const VertexToTriangle after(surface.mesh);
  const Freedoms freedoms(surface, after);
  std::vector<Point> places;
  for (const std::uint32_t v : moved)
    {
      Point way{};
      for (std::size_t i = after.begin[v]; i < after.begin[v + 1]; ++i)
        for (const std::uint32_t w : surface.mesh.triangles[after.triangles[i]])
          way = way + (surface.mesh.vertices[w] - surface.mesh.vertices[v]);
      const Point within = freedoms.allowed(v, way);
      if (length(within) > 0.1 * length(way)) // otherwise the only way is out of a plane
        way = within;
      const double size = length(way);
      places.push_back(surface.mesh.vertices[v] +
                       (size > 0. ? distance * surface.sizes[v] / size : 0.) * way);
    }
  for (std::size_t i = 0; i < moved.size(); ++i)
    surface.mesh.vertices[moved[i]] = places[i];
  return surface.mesh.vertices.size() - n_before;
}

std::vector<std::uint32_t> vertices_of_several_fans(const TriangleMesh &mesh)
{
  const VertexToTriangle around(mesh);
  std::vector<std::uint32_t> found;
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v)
    if (around.begin[v] != around.begin[v + 1] && fans_around(mesh, around, v).size() > 1)
      found.push_back(v);
  return found;
}
} // namespace strut
