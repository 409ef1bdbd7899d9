// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/wall_thickness.h"

#include "source/base/parallel_loop.h"
#include "source/surface/box_tree.h"
#include "source/surface/ray.h"
#include "source/surface/triangle_distance.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace strut
{
namespace
{
constexpr double least_cosine        = 0.8660254037844387; ///< cosine of 30 degrees
constexpr std::size_t most_triangles = 20'000; ///< most triangles from which walls are measured
constexpr std::size_t n_points       = 4;      ///< points of a triangle
/// Barycentric coordinates of the points.
constexpr double weights[n_points][3] = {{1. / 3., 1. / 3., 1. / 3.},
                                         {0.8, 0.1, 0.1},
                                         {0.1, 0.8, 0.1},
                                         {0.1, 0.1, 0.8}};

struct Wall
{
  double thickness = 0., area = 0.;
  Point place{};
};

/// The thickness at x into the body, or out of it; is_missed if no surface faces x.
///
/// @param sign  1 into the body, -1 out of it
double thickness_at(const TriangleMesh &mesh,
                    const BoxTree &tree,
                    const std::size_t t,
                    const Point &x,
                    const Point &inward,
                    const double sign,
                    const std::vector<std::uint8_t> &is_left_out)
{
  const Ray ray{x, inward};
  double nearest = is_missed;
  bool faces_x   = false;
  Point of_box   = inward; // without zeros
  for (double &value : of_box)
    value += value == 0. ? 1e-30 : 0.;
  tree.any_on_ray(x, of_box, [&](const std::uint32_t other) {
    if (other == t)
      return false;
    const Triangle &triangle = mesh.triangles[other];
    const double distance    = distance_along(ray, mesh, triangle);
    if (distance < nearest)
      {
        const Point normal = area_vector(mesh, triangle);
        nearest            = distance;
        faces_x            = (is_left_out.empty() || is_left_out[other] == 0) &&
                  sign * dot(normal, inward) >= least_cosine * length(normal);
      }
    return false;
  });
  return faces_x ? nearest : is_missed;
}

/// Implements wall_thickness() with a tree over its triangles.
std::optional<WallThickness> thickness_by(const BoxTree &tree,
                                          const TriangleMesh &mesh,
                                          const int n_threads,
                                          const SideOfSurface side,
                                          const std::vector<std::uint8_t> &is_left_out)
{
  const double sign      = side == SideOfSurface::inside ? 1. : -1.;
  const std::size_t step = mesh.triangles.size() / most_triangles + 1;
  std::vector<Wall> walls((mesh.triangles.size() + step - 1) / step * n_points);
  const auto measure = [&](const std::size_t i) {
    const std::size_t t      = i / n_points * step;
    const Triangle &triangle = mesh.triangles[t];
    const Point normal       = area_vector(mesh, triangle);
    const double size        = length(normal);
    Wall &wall               = walls[i];
    wall.thickness           = is_missed;
    if (size == 0. || (!is_left_out.empty() && is_left_out[t] != 0))
      return;
    for (std::size_t v = 0; v < 3; ++v)
      wall.place = wall.place + weights[i % n_points][v] * mesh.vertices[triangle[v]];
    wall.area = size;
    wall.thickness =
      thickness_at(mesh, tree, t, wall.place, -sign / size * normal, sign, is_left_out);
  };
  cpu::parallel_blocks(n_threads,
                       walls.size(),
                       256,
                       [&](const std::size_t begin, const std::size_t end) {
                         for (std::size_t i = begin; i < end; ++i)
                           measure(i);
                       });
  walls.erase(std::remove_if(walls.begin(),
                             walls.end(),
                             [](const Wall &wall) { return wall.thickness == is_missed; }),
              walls.end());
  if (walls.empty())
    return {};
  std::stable_sort(walls.begin(), walls.end(), [](const Wall &a, const Wall &b) {
    return a.thickness < b.thickness;
  });
  double whole = 0., thinner = 0.;
  for (const Wall &wall : walls)
    whole += wall.area;
  WallThickness found{walls.front().thickness, walls.back().thickness, walls.front().place};
  for (const Wall &wall : walls)
    if ((thinner += wall.area) >= 0.01 * whole)
      {
        found.one_percent = wall.thickness;
        break;
      }
  return found;
}

constexpr std::size_t points_of_a_block = 4096;

/// Returns the distance of a point from the triangles of a tree. If it is below `enough`, any
/// number below that may be returned, which takes little time.
double
distance_or_less(const BoxTree &tree, const TriangleMesh &mesh, const Point &x, const double enough)
{
  const auto distance_to = [&](const std::uint32_t t) {
    const Triangle &triangle = mesh.triangles[t];
    return distance_to_triangle(
      x, {{mesh.vertices[triangle[0]], mesh.vertices[triangle[1]], mesh.vertices[triangle[2]]}});
  };
  double nearest = enough;
  if (tree.any_near(x, nearest, [&](const std::uint32_t t) {
        const double distance = distance_to(t);
        return distance < enough && (nearest = distance, true);
      }))
    return nearest;
  nearest = std::numeric_limits<double>::max();
  tree.any_near(x, nearest, [&](const std::uint32_t t) {
    nearest = std::min(nearest, distance_to(t));
    return false;
  });
  return nearest;
}
} // namespace

std::optional<WallThickness> wall_thickness(const TriangleMesh &mesh,
                                            const int n_threads,
                                            const SideOfSurface side,
                                            const std::vector<std::uint8_t> &is_left_out)
{
  if (mesh.triangles.empty())
    return {};
  return thickness_by(BoxTree(mesh, n_threads), mesh, n_threads, side, is_left_out);
}

MeasuredLengths
measured_lengths(const CutSurface &of_walls, const CutSurface &of_gaps, const int n_threads)
{
  MeasuredLengths lengths;
  if (&of_walls != &of_gaps)
    {
      lengths.member =
        wall_thickness(of_walls.mesh, n_threads, SideOfSurface::inside, of_walls.is_kept);
      lengths.gap =
        wall_thickness(of_gaps.mesh, n_threads, SideOfSurface::outside, of_gaps.is_kept);
    }
  else if (!of_walls.mesh.triangles.empty())
    {
      const TriangleMesh &mesh = of_walls.mesh;
      const BoxTree tree(mesh, n_threads);
      lengths.member = thickness_by(tree, mesh, n_threads, SideOfSurface::inside, of_walls.is_kept);
      lengths.gap = thickness_by(tree, mesh, n_threads, SideOfSurface::outside, of_walls.is_kept);
    }
  return lengths;
}

std::optional<LargestBall>
largest_ball(const std::vector<Point> &points, const CutSurface &surface, const int n_threads)
{
  TriangleMesh cut{surface.mesh.vertices, {}};
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t)
    if (surface.is_kept[t] == 0)
      cut.triangles.push_back(surface.mesh.triangles[t]);
  if (points.empty() || cut.triangles.empty())
    return {};
  const BoxTree tree(cut, n_threads);
  const std::size_t n_blocks = (points.size() + points_of_a_block - 1) / points_of_a_block;
  std::vector<LargestBall> of_blocks(n_blocks);
  cpu::parallel_blocks(n_threads, n_blocks, 1, [&](const std::size_t begin, const std::size_t end) {
    for (std::size_t block = begin; block < end; ++block)
      {
        const std::size_t first = block * points_of_a_block;
        LargestBall &largest    = of_blocks[block];
        largest.middle          = points[first];
        for (std::size_t i = first; i < std::min(first + points_of_a_block, points.size()); ++i)
          if (const double distance =
                distance_or_less(tree, cut, points[i], 0.5 * largest.diameter);
              2. * distance > largest.diameter)
            largest = {2. * distance, points[i]};
      }
  });
  LargestBall largest = of_blocks.front();
  for (const LargestBall &of_block : of_blocks)
    if (of_block.diameter > largest.diameter)
      largest = of_block;
  return largest;
}
} // namespace strut
