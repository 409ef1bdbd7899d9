// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/mirror.h"
#include "source/surface/islands.h"

#include <strut/base/exceptions.h>

#include <cmath>
#include <sstream>
#include <utility>

namespace strut
{
CutSurface
with_mirror_image(const CutSurface &surface, const SymmetryPlane &plane, const double tolerance)
{
  const auto is_in_plane = [&](const Point &x) {
    return std::abs(x[plane.normal] - plane.value) <= tolerance;
  };
  bool is_below = false, is_above = false;
  for (const Point &x : surface.mesh.vertices)
    {
      const bool is_in = is_in_plane(x);
      is_below         = is_below || (!is_in && x[plane.normal] < plane.value);
      is_above         = is_above || (!is_in && x[plane.normal] > plane.value);
    }
  if (is_below && is_above)
    {
      std::ostringstream text;
      text
        << "The plane "
        << "xyz"[plane.normal] << " = " << plane.value
        << " goes through the part, so it can have no mirror image there. Take a plane of symmetry "
           "at its boundary.";
      throw Error(text.str());
    }
  std::vector<std::uint8_t> is_selected;
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t)
    {
      bool is_inside = surface.is_kept[t] != 0; // the body continues there
      for (const std::uint32_t v : surface.mesh.triangles[t])
        is_inside = is_inside && is_in_plane(surface.mesh.vertices[v]);
      is_selected.push_back(is_inside ? 0 : 1);
    }
  CutSurface whole = selected(surface, is_selected);

  std::vector<std::uint32_t> image;
  const std::size_t n_vertices = whole.mesh.vertices.size();
  for (std::size_t v = 0; v < n_vertices; ++v)
    {
      Point &x = whole.mesh.vertices[v];
      if (is_in_plane(x))
        {
          x[plane.normal] = plane.value;
          image.push_back(static_cast<std::uint32_t>(v));
          continue;
        }
      Point behind         = x;
      behind[plane.normal] = 2. * plane.value - x[plane.normal];
      image.push_back(static_cast<std::uint32_t>(whole.mesh.vertices.size()));
      whole.mesh.vertices.push_back(behind);
      whole.sizes.push_back(whole.sizes[v]);
    }
  const std::size_t n_triangles = whole.mesh.triangles.size();
  for (std::size_t t = 0; t < n_triangles; ++t)
    {
      const Triangle triangle = whole.mesh.triangles[t];
      whole.mesh.triangles.push_back(
        {{image[triangle[0]], image[triangle[2]], image[triangle[1]]}});
      whole.is_kept.push_back(whole.is_kept[t]);
    }
  return whole;
}
} // namespace strut
