// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/simplify.h"
#include "source/base/forest.h"
#include "source/surface/vector3.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <limits>

namespace strut
{
namespace
{
/// As in Freedoms.
constexpr double same_plane = 1. - 5e-7;

/// The patches that are simplified on their own, each with its border: kept triangles that are connected within a plane, and
/// all others. @return the patch of each triangle
std::vector<std::uint32_t> patches_of(const CutSurface &surface, std::size_t &n_patches)
{
  const std::vector<Triangle> &triangles = surface.mesh.triangles;
  struct Side
  {
    std::uint32_t low, high, triangle;
  };
  std::vector<Side> sides;
  Forest forest(triangles.size());
  std::size_t first_free = triangles.size();
  std::vector<Point> normals(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (surface.is_kept[t] == 0)
      {
        first_free = std::min(first_free, t);
        forest.unite(first_free, t);
      }
    else
      {
        const Point area = area_vector(surface.mesh, triangles[t]);
        if (length(area) > 0.)
          normals[t] = (1. / length(area)) * area;
        for (std::size_t i = 0; i < 3; ++i)
          {
            const auto [low, high] = std::minmax(triangles[t][i], triangles[t][(i + 1) % 3]);
            sides.push_back({low, high, static_cast<std::uint32_t>(t)});
          }
      }
  std::sort(sides.begin(), sides.end(), [](const Side &a, const Side &b) {
    return std::array<std::uint32_t, 3>{{a.low, a.high, a.triangle}} <
           std::array<std::uint32_t, 3>{{b.low, b.high, b.triangle}};
  });
  for (std::size_t i = 1; i < sides.size(); ++i)
    if (sides[i].low == sides[i - 1].low && sides[i].high == sides[i - 1].high &&
        dot(normals[sides[i].triangle], normals[sides[i - 1].triangle]) > same_plane)
      forest.unite(sides[i].triangle, sides[i - 1].triangle);
  return forest.trees(n_patches);
}

/// The triangles of a patch with fewer of them, in the numbers of the whole.
void simplify_patch(const TriangleMesh &mesh,
                    const std::vector<Triangle> &patch,
                    const double error,
                    std::vector<std::uint32_t> &number, // [n_vertices], none
                    std::vector<Triangle> &result)
{
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> vertices, indices;
  std::vector<float> places; // about the first vertex, since they are in single precision
  for (const Triangle &triangle : patch)
    for (const std::uint32_t v : triangle)
      {
        if (number[v] == none)
          {
            number[v] = static_cast<std::uint32_t>(vertices.size());
            vertices.push_back(v);
            const Point x = mesh.vertices[v] - mesh.vertices[patch.front()[0]];
            for (const double coordinate : x)
              places.push_back(static_cast<float>(coordinate));
          }
        indices.push_back(number[v]);
      }
  constexpr std::size_t stride = 3 * sizeof(float);
  const float scale            = meshopt_simplifyScale(places.data(), vertices.size(), stride);
  std::vector<unsigned int> kept(indices.size());
  kept.resize(meshopt_simplify(kept.data(),
                               indices.data(),
                               indices.size(),
                               places.data(),
                               vertices.size(),
                               stride,
                               0,
                               scale > 0.f ? static_cast<float>(error) / scale : 0.f,
                               meshopt_SimplifyLockBorder,
                               nullptr));
  for (std::size_t i = 0; i < kept.size(); i += 3)
    result.push_back({{vertices[kept[i]], vertices[kept[i + 1]], vertices[kept[i + 2]]}});
  for (const std::uint32_t v : vertices)
    number[v] = none;
}
} // namespace

CutSurface
simplify(const CutSurface &surface, const double error, const std::vector<std::uint8_t> &is_still)
{
  const std::vector<Triangle> &triangles   = surface.mesh.triangles;
  std::size_t n_patches                    = 0;
  const std::vector<std::uint32_t> patches = patches_of(surface, n_patches);
  std::vector<std::vector<Triangle>> by_patch(n_patches);
  std::vector<std::uint8_t> is_kept(n_patches, 0);

  CutSurface result;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (is_still[t] != 0)
      {
        result.mesh.triangles.push_back(triangles[t]);
        result.is_kept.push_back(surface.is_kept[t]);
      }
    else
      {
        by_patch[patches[t]].push_back(triangles[t]);
        is_kept[patches[t]] = surface.is_kept[t];
      }
  std::vector<std::uint32_t> number(surface.mesh.vertices.size(),
                                    std::numeric_limits<std::uint32_t>::max());
  for (std::size_t p = 0; p < n_patches; ++p)
    {
      if (by_patch[p].size() > 2)
        simplify_patch(surface.mesh, by_patch[p], error, number, result.mesh.triangles);
      else
        result.mesh.triangles.insert(result.mesh.triangles.end(),
                                     by_patch[p].begin(),
                                     by_patch[p].end());
      result.is_kept.resize(result.mesh.triangles.size(), is_kept[p]);
    }
  result.mesh.vertices = surface.mesh.vertices;
  result.sizes         = surface.sizes;
  return result;
}
} // namespace strut
