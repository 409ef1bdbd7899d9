// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/simplify.h"
#include "source/base/forest.h"
#include "source/base/parallel_loop.h"
#include "source/surface/freedoms.h"
#include "source/surface/islands.h"
#include "source/surface/measures.h"
#include "source/surface/self_intersections.h"
#include "source/surface/vector3.h"
#include "source/surface/vertex_fans.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace strut
{
namespace
{
/// A group of triangles that is simplified on its own.
struct Patch
{
  std::vector<Triangle> before, after;
  std::uint8_t is_kept = 0;
  double size          = 0.;   ///< size of the grid cells that cut it
  bool is_changed      = true; ///< changed after `after` was computed
};

/// Sizes of the first cells, and of those that are not cut further, relative to the sizes of the
/// surface.
constexpr double first_size = 24., last_size = 3.;

/// Groups triangles by the grid cell of their first vertices.
///
/// @param shift  offset of the grid, in cells
std::vector<std::vector<Triangle>> by_cells(const TriangleMesh &mesh,
                                            const std::vector<Triangle> &triangles,
                                            const double size,
                                            const double shift)
{
  std::map<std::array<std::int64_t, 3>, std::vector<Triangle>> cells;
  for (const Triangle &triangle : triangles)
    {
      std::array<std::int64_t, 3> cell;
      for (std::size_t d = 0; d < 3; ++d)
        cell[d] =
          static_cast<std::int64_t>(std::floor(mesh.vertices[triangle[0]][d] / size + shift));
      cells[cell].push_back(triangle);
    }
  std::vector<std::vector<Triangle>> result;
  for (auto &cell : cells)
    result.push_back(std::move(cell.second));
  return result;
}

/// The first patches: kept triangles that are connected in a plane, and other triangles by cells.
std::vector<Patch> first_patches(const CutSurface &surface, const double size, const double shift)
{
  const std::vector<Triangle> &triangles = surface.mesh.triangles;
  struct Side
  {
    std::uint32_t low, high, triangle;
  };
  std::vector<Side> sides;
  Forest forest(triangles.size());
  std::vector<Point> normals(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (surface.is_kept[t] != 0)
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
  std::size_t n_patches                  = 0;
  const std::vector<std::uint32_t> plane = forest.trees(n_patches);
  std::vector<Patch> patches(n_patches);
  std::vector<Triangle> others;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (surface.is_kept[t] != 0)
      {
        patches[plane[t]].before.push_back(triangles[t]);
        patches[plane[t]].is_kept = 1;
      }
    else
      others.push_back(triangles[t]);
  for (auto &cell : by_cells(surface.mesh, others, size, shift))
    patches.push_back({std::move(cell), {}, 0});
  for (Patch &patch : patches)
    patch.size = size;
  return patches;
}

/// Simplifies a patch; triangles have the vertex numbers of the whole surface.
std::vector<Triangle>
simplified(const TriangleMesh &mesh, const std::vector<Triangle> &patch, const double error)
{
  std::vector<std::uint32_t> vertices;
  for (const Triangle &triangle : patch)
    vertices.insert(vertices.end(), triangle.begin(), triangle.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  std::vector<unsigned int> indices;
  for (const Triangle &triangle : patch)
    for (const std::uint32_t v : triangle)
      indices.push_back(static_cast<unsigned int>(
        std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin()));
  std::vector<float> places; // relative to the first vertex, since they are in single precision
  for (const std::uint32_t v : vertices)
    for (const double coordinate : mesh.vertices[v] - mesh.vertices[vertices.front()])
      places.push_back(static_cast<float>(coordinate));

  constexpr std::size_t stride = 3 * sizeof(float);
  const float scale            = meshopt_simplifyScale(places.data(), vertices.size(), stride);
  if (!(scale > 0.f))
    return patch;
  std::vector<unsigned int> kept(indices.size());
  kept.resize(meshopt_simplify(kept.data(),
                               indices.data(),
                               indices.size(),
                               places.data(),
                               vertices.size(),
                               stride,
                               0,
                               static_cast<float>(error) / scale,
                               meshopt_SimplifyLockBorder,
                               nullptr));
  std::vector<Triangle> result;
  for (std::size_t i = 0; i < kept.size(); i += 3)
    result.push_back({{vertices[kept[i]], vertices[kept[i + 1]], vertices[kept[i + 2]]}});
  return result;
}
/// @param shift  offset of the grid, in cells
CutSurface simplify_patches(const CutSurface &surface,
                            const double error,
                            const double shift,
                            const int n_threads)
{
  const double size = std::accumulate(surface.sizes.begin(), surface.sizes.end(), 0.) /
                      static_cast<double>(surface.sizes.size());
  std::vector<Patch> patches = first_patches(surface, first_size * size, shift);
  while (true)
    {
      // (1) Simplify the patches.
      cpu::parallel_blocks(n_threads, patches.size(), 1, [&](const std::size_t p, std::size_t) {
        Patch &patch = patches[p];
        if (patch.is_changed)
          patch.after = patch.before.size() > 2 && patch.size > last_size * size
                          ? simplified(surface.mesh, patch.before, error)
                          : patch.before;
        patch.is_changed = false;
      });
      CutSurface result = {{surface.mesh.vertices, {}}, surface.sizes, {}};
      std::vector<std::uint32_t> origin; // patch of each triangle
      for (std::size_t p = 0; p < patches.size(); ++p)
        {
          const std::vector<Triangle> &after = patches[p].after;
          result.mesh.triangles.insert(result.mesh.triangles.end(), after.begin(), after.end());
          result.is_kept.resize(result.mesh.triangles.size(), patches[p].is_kept);
          origin.resize(result.mesh.triangles.size(), static_cast<std::uint32_t>(p));
        }

      // (2) Find defects: crossings, edges of too many triangles, vertices of several fans,
      // triangles without area.
      std::vector<std::uint8_t> is_pinched(surface.mesh.vertices.size(), 0);
      for (const std::uint32_t v : vertices_of_several_fans(result.mesh))
        is_pinched[v] = 1;
      for (std::size_t t = 0; t < origin.size(); ++t)
        {
          const Triangle &triangle = result.mesh.triangles[t];
          double longest           = 0.;
          for (std::size_t i = 0; i < 3; ++i)
            {
              longest = std::max(longest,
                                 length(result.mesh.vertices[triangle[(i + 1) % 3]] -
                                        result.mesh.vertices[triangle[i]]));
              if (is_pinched[triangle[i]] != 0)
                patches[origin[t]].is_changed = true;
            }
          if (length(area_vector(result.mesh, triangle)) <= 1e-6 * longest * longest)
            patches[origin[t]].is_changed = true;
        }
      for (const std::uint32_t t : self_intersections(result.mesh, n_threads))
        patches[origin[t]].is_changed = true;
      if (const auto edges = faulty_edges(result.mesh, n_threads); !edges.empty())
        for (std::size_t t = 0; t < origin.size(); ++t)
          for (std::size_t i = 0; i < 3; ++i)
            {
              const auto [low, high] =
                std::minmax(result.mesh.triangles[t][i], result.mesh.triangles[t][(i + 1) % 3]);
              if (std::binary_search(edges.begin(),
                                     edges.end(),
                                     std::array<std::uint32_t, 2>{{low, high}}))
                patches[origin[t]].is_changed = true;
            }

      // (3) Cut defective patches into smaller ones; the smallest keep their triangles.
      bool any_left = false;
      std::vector<Patch> next;
      for (Patch &patch : patches)
        if (!patch.is_changed || patch.size <= last_size * size)
          {
            patch.is_changed = false;
            next.push_back(std::move(patch));
          }
        else
          {
            any_left = true;
            for (auto &cell : by_cells(surface.mesh, patch.before, patch.size / 3., shift))
              next.push_back({std::move(cell), {}, patch.is_kept, patch.size / 3.});
          }
      patches.swap(next);
      if (!any_left)
        return selected(result, std::vector<std::uint8_t>(result.mesh.triangles.size(), 1));
    }
}
} // namespace

CutSurface simplify(const CutSurface &surface, const double error, const int n_threads)
{
  // In the second grid the borders of the first are inside of cells.
  return simplify_patches(simplify_patches(surface, 0.5 * error, 0., n_threads),
                          0.5 * error,
                          0.5,
                          n_threads);
}
} // namespace strut
