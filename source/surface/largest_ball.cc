// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/largest_ball.h"

#include "source/base/parallel_loop.h"
#include "source/surface/box_tree.h"
#include "source/surface/triangle_distance.h"

#include <limits>

namespace strut
{
namespace
{
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
