// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/freedoms.h"
#include "source/surface/vector3.h"

#include <algorithm>

namespace strut
{
namespace
{
/// Relative height below which a triangle's normal is dominated by rounding.
constexpr double thin = 1e-2;
} // namespace

Freedoms::Freedoms(const CutSurface &surface, const VertexToTriangle &around)
  : kinds(surface.mesh.vertices.size(), Kind::anywhere), directions(surface.mesh.vertices.size())
{
  for (std::size_t v = 0; v < kinds.size(); ++v)
    {
      Point planes[2];
      std::size_t n_planes = 0;
      bool is_on_kept      = false;
      for (std::size_t i = around.begin[v]; i < around.begin[v + 1]; ++i)
        {
          const std::uint32_t t = around.triangles[i];
          if (surface.is_kept[t] == 0)
            continue;
          is_on_kept               = true;
          const Triangle &triangle = surface.mesh.triangles[t];
          const Point area         = area_vector(surface.mesh, triangle);
          double longest           = 0.;
          for (std::size_t k = 0; k < 3; ++k)
            longest = std::max(longest,
                               length(surface.mesh.vertices[triangle[(k + 1) % 3]] -
                                      surface.mesh.vertices[triangle[k]]));
          if (length(area) <= thin * surface.sizes[v] * longest)
            continue;
          const Point normal = (1. / length(area)) * area;
          bool is_new        = true;
          for (std::size_t k = 0; k < std::min<std::size_t>(n_planes, 2); ++k)
            is_new = is_new && dot(normal, planes[k]) < same_plane;
          if (is_new && n_planes < 2)
            planes[n_planes] = normal;
          n_planes += is_new ? 1 : 0;
        }
      if (!is_on_kept)
        continue;
      kinds[v] = n_planes == 1 ? Kind::in_plane : n_planes == 2 ? Kind::on_line : Kind::fixed;
      if (n_planes == 1)
        directions[v] = planes[0];
      if (n_planes == 2)
        {
          const Point line = cross(planes[0], planes[1]);
          if (length(line) < 1e-3) // two sides of a sheet
            kinds[v] = Kind::fixed;
          else
            directions[v] = (1. / length(line)) * line;
        }
    }
}

Point Freedoms::allowed(const std::size_t v, const Point &step) const
{
  switch (kinds[v])
    {
      case Kind::anywhere:
        return step;
      case Kind::in_plane:
        return step - dot(step, directions[v]) * directions[v];
      case Kind::on_line:
        return dot(step, directions[v]) * directions[v];
      default:
        return {};
    }
}
} // namespace strut
