// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/for_looking.h"
#include "source/base/parallel_loop.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace strut
{
namespace
{
constexpr std::size_t bytes_of_place = 3 * sizeof(float);

/// Parameters of the cells: the approximate number of triangles of a cell, the factor of the
/// requested number that cells keep, and the smallest share that a cell keeps. Borders of cells
/// stay, so cells that keep less would have a larger part of their triangles at borders.
constexpr std::size_t triangles_of_cell = 16'000;
constexpr double kept_of_cells = 1.5, least_share_of_cells = 0.2;
/// The least triangles of a cell: with fewer, small closed bodies would vanish.
constexpr std::size_t least_triangles_of_cell = 64;
/// The largest error relative to the size of a cell. A cell keeps more triangles rather than exceed
/// it: the whole surface is simplified afterwards.
constexpr float error_of_cells = 0.05F;
constexpr float any_error      = 1.F; // relative to the size: the number of triangles is the limit

struct Bounds
{
  Point low, high;

  double size() const
  {
    return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  }
};

Bounds bounds_of(const std::vector<Point> &points)
{
  Bounds bounds{points.front(), points.front()};
  for (const Point &point : points)
    for (std::size_t d = 0; d < 3; ++d)
      {
        bounds.low[d]  = std::min(bounds.low[d], point[d]);
        bounds.high[d] = std::max(bounds.high[d], point[d]);
      }
  return bounds;
}

/// Scales vertices to a box of size 1 at the origin, so that single precision suffices.
std::vector<float> places_in_unit_box(const std::vector<Point> &vertices)
{
  const Bounds bounds = bounds_of(vertices);
  const double size   = bounds.size();
  std::vector<float> places;
  places.reserve(3 * vertices.size());
  for (const Point &vertex : vertices)
    for (std::size_t d = 0; d < 3; ++d)
      places.push_back(static_cast<float>(size > 0. ? (vertex[d] - bounds.low[d]) / size : 0.));
  return places;
}

/// Removes unused vertices, and orders the others by their first use.
TriangleMesh used_part(const TriangleMesh &surface, const std::vector<Triangle> &triangles)
{
  constexpr auto unused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(surface.vertices.size(), unused);
  TriangleMesh part;
  part.triangles = triangles;
  for (Triangle &triangle : part.triangles)
    for (std::uint32_t &corner : triangle)
      {
        std::uint32_t &vertex = number[corner];
        if (vertex == unused)
          {
            vertex = static_cast<std::uint32_t>(part.vertices.size());
            part.vertices.push_back(surface.vertices[corner]);
          }
        corner = vertex;
      }
  return part;
}

/// Reduces triangles to at most most_triangles, as far as the topology and the error, relative to
/// the size, allow it.
std::vector<Triangle> thinned_out(const std::vector<Point> &vertices,
                                  const std::vector<Triangle> &triangles,
                                  const std::size_t most_triangles,
                                  const float error)
{
  const std::vector<float> places = places_in_unit_box(vertices);
  std::vector<unsigned int> corners, fewer(3 * triangles.size());
  corners.reserve(fewer.size());
  for (const Triangle &triangle : triangles)
    corners.insert(corners.end(), triangle.begin(), triangle.end());
  fewer.resize(meshopt_simplify(fewer.data(),
                                corners.data(),
                                corners.size(),
                                places.data(),
                                vertices.size(),
                                bytes_of_place,
                                std::min(3 * most_triangles, corners.size()),
                                error,
                                meshopt_SimplifyLockBorder,
                                nullptr));
  std::vector<Triangle> result(fewer.size() / 3);
  for (std::size_t i = 0; i < fewer.size(); ++i)
    result[i / 3][i % 3] = fewer[i];
  return result;
}

/// Groups the triangles by the grid cell of their first vertices. A surface crosses about as many
/// cells as the grid has on one side.
std::vector<std::vector<Triangle>> by_grid(const TriangleMesh &surface)
{
  const Bounds bounds = bounds_of(surface.vertices);
  const auto n        = static_cast<std::size_t>(
    std::ceil(std::sqrt(static_cast<double>(surface.triangles.size()) / triangles_of_cell)));
  const double per_length = static_cast<double>(n) / std::max(bounds.size(), 1e-300);
  std::vector<std::vector<Triangle>> cells(n * n * n);
  for (const Triangle &triangle : surface.triangles)
    {
      std::size_t cell = 0;
      for (std::size_t d = 0; d < 3; ++d)
        cell =
          n * cell + std::min(n - 1,
                              static_cast<std::size_t>(
                                (surface.vertices[triangle[0]][d] - bounds.low[d]) * per_length));
      cells[cell].push_back(triangle);
    }
  return cells;
}

/// Applies thinned_out() to triangles that use few of the vertices of a surface.
std::vector<Triangle> thinned_out_cell(const TriangleMesh &surface,
                                       const std::vector<Triangle> &triangles,
                                       const std::size_t most_triangles)
{
  std::vector<std::uint32_t> used; // ascending
  used.reserve(3 * triangles.size());
  for (const Triangle &triangle : triangles)
    used.insert(used.end(), triangle.begin(), triangle.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<Point> vertices;
  vertices.reserve(used.size());
  for (const std::uint32_t v : used)
    vertices.push_back(surface.vertices[v]);
  std::vector<Triangle> own = triangles;
  for (Triangle &triangle : own)
    for (std::uint32_t &v : triangle)
      v = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), v) - used.begin());
  std::vector<Triangle> result = thinned_out(vertices, own, most_triangles, error_of_cells);
  for (Triangle &triangle : result)
    for (std::uint32_t &v : triangle)
      v = used[v];
  return result;
}

TriangleMesh thinned_out_by_cells(const TriangleMesh &surface,
                                  const std::size_t most_triangles,
                                  const int n_threads)
{
  std::vector<std::vector<Triangle>> cells = by_grid(surface);
  const double share =
    static_cast<double>(most_triangles) / static_cast<double>(surface.triangles.size());
  cpu::parallel_blocks(n_threads, cells.size(), 1, [&](const std::size_t i, std::size_t) {
    if (!cells[i].empty())
      cells[i] = thinned_out_cell(surface,
                                  cells[i],
                                  std::max(least_triangles_of_cell,
                                           static_cast<std::size_t>(
                                             share * static_cast<double>(cells[i].size()))));
  });
  std::vector<Triangle> triangles;
  for (const std::vector<Triangle> &cell : cells)
    triangles.insert(triangles.end(), cell.begin(), cell.end());
  return used_part(surface, triangles);
}
} // namespace

TriangleMesh by_cells_for_looking(const TriangleMesh &surface,
                                  const std::size_t most_triangles,
                                  const int n_threads)
{
  if (surface.triangles.size() <= most_triangles)
    return surface;
  const auto most_of_cells = static_cast<std::size_t>(
    std::max(kept_of_cells * static_cast<double>(most_triangles),
             least_share_of_cells * static_cast<double>(surface.triangles.size())));
  return surface.triangles.size() > std::max(2 * most_of_cells, 4 * triangles_of_cell)
           ? thinned_out_by_cells(surface, most_of_cells, n_threads)
           : surface;
}

TriangleMesh whole_for_looking(TriangleMesh by_cells, const std::size_t most_triangles)
{
  if (by_cells.triangles.size() <= most_triangles) // or there are none
    return by_cells;
  return used_part(by_cells,
                   thinned_out(by_cells.vertices, by_cells.triangles, most_triangles, any_error));
}

TriangleMesh
for_looking(const TriangleMesh &surface, const std::size_t most_triangles, const int n_threads)
{
  return whole_for_looking(by_cells_for_looking(surface, most_triangles, n_threads),
                           most_triangles);
}
} // namespace strut
