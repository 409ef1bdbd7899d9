// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/for_looking.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace strut
{
namespace
{
constexpr std::size_t bytes_of_place = 3 * sizeof(float);

/// In a box of size 1 at the origin, so that single precision suffices.
std::vector<float> places_of(const TriangleMesh &surface)
{
  Point low = surface.vertices.front(), high = low;
  for (const Point &vertex : surface.vertices)
    for (std::size_t d = 0; d < 3; ++d)
      {
        low[d]  = std::min(low[d], vertex[d]);
        high[d] = std::max(high[d], vertex[d]);
      }
  const double size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  std::vector<float> places;
  places.reserve(3 * surface.vertices.size());
  for (const Point &vertex : surface.vertices)
    for (std::size_t d = 0; d < 3; ++d)
      places.push_back(static_cast<float>(size > 0. ? (vertex[d] - low[d]) / size : 0.));
  return places;
}

/// The vertices that triangles use, in the order of their use.
TriangleMesh used_part(const TriangleMesh &surface, const std::vector<unsigned int> &corners)
{
  constexpr auto unused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(surface.vertices.size(), unused);
  TriangleMesh part;
  part.triangles.resize(corners.size() / 3);
  for (std::size_t i = 0; i < corners.size(); ++i)
    {
      std::uint32_t &vertex = number[corners[i]];
      if (vertex == unused)
        {
          vertex = static_cast<std::uint32_t>(part.vertices.size());
          part.vertices.push_back(surface.vertices[corners[i]]);
        }
      part.triangles[i / 3][i % 3] = vertex;
    }
  return part;
}
} // namespace

TriangleMesh for_looking(const TriangleMesh &surface, const std::size_t most_triangles)
{
  if (surface.triangles.size() <= most_triangles)
    return surface;
  const std::vector<float> places = places_of(surface);
  std::vector<unsigned int> corners, fewer(3 * surface.triangles.size());
  corners.reserve(fewer.size());
  for (const Triangle &triangle : surface.triangles)
    corners.insert(corners.end(), triangle.begin(), triangle.end());
  constexpr float any_error = 1.F; // of the size: the number of triangles decides
  fewer.resize(meshopt_simplify(fewer.data(),
                                corners.data(),
                                corners.size(),
                                places.data(),
                                surface.vertices.size(),
                                bytes_of_place,
                                3 * most_triangles,
                                any_error,
                                meshopt_SimplifyLockBorder,
                                nullptr));
  return used_part(surface, fewer);
}
} // namespace strut
