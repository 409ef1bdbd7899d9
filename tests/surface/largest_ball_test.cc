// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The largest ball of random points among random triangles, compared with a search over all pairs.
#include "../fixtures/vectors.h"
#include "source/surface/triangle_distance.h"
#include "source/surface/wall_thickness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace strut::test
{
namespace
{
Point point_of(const std::vector<double> &numbers, const std::size_t i)
{
  return {{numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]}};
}

TEST(LargestBall, IsThatOfAllPairs)
{
  const std::size_t n_triangles = 60, n_points = 9000; // several blocks of points
  const auto corners = random_vector(9 * n_triangles, 1), places = random_vector(3 * n_points, 2);
  CutSurface surface;
  for (std::size_t t = 0; t < n_triangles; ++t)
    {
      const auto first = static_cast<std::uint32_t>(3 * t);
      for (std::size_t k = 0; k < 3; ++k) // small ones
        surface.mesh.vertices.push_back(point_of(corners, 3 * t) +
                                        (k == 0 ? 0. : 0.1) * point_of(corners, 3 * t + k));
      surface.mesh.triangles.push_back({{first, first + 1, first + 2}});
      surface.is_kept.push_back(t % 5 == 0);
    }
  std::vector<Point> points;
  LargestBall expected;
  for (std::size_t i = 0; i < n_points; ++i)
    {
      points.push_back(point_of(places, i));
      double nearest = std::numeric_limits<double>::max();
      for (std::size_t t = 0; t < n_triangles; ++t)
        if (surface.is_kept[t] == 0)
          nearest = std::min(nearest,
                             distance_to_triangle(points[i],
                                                  {{surface.mesh.vertices[3 * t],
                                                    surface.mesh.vertices[3 * t + 1],
                                                    surface.mesh.vertices[3 * t + 2]}}));
      if (2. * nearest > expected.diameter)
        expected = {2. * nearest, points[i]};
    }
  for (const int n_threads : {1, 3})
    {
      const auto found = largest_ball(points, surface, n_threads);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->diameter, expected.diameter);
      EXPECT_EQ(found->middle, expected.middle);
    }
  EXPECT_FALSE(largest_ball({}, surface, 1));
  surface.is_kept.assign(n_triangles, 1);
  EXPECT_FALSE(largest_ball(points, surface, 1));
}

// Above the triangle, beside an edge, beyond a corner; triangles without area.
TEST(LargestBall, DistancesFromTriangles)
{
  const std::array<Point, 3> triangle = {{{{0., 0., 0.}}, {{4., 0., 0.}}, {{0., 4., 0.}}}};
  EXPECT_NEAR(distance_to_triangle({{1., 1., -3.}}, triangle), 3., 1e-15);
  EXPECT_NEAR(distance_to_triangle({{2., -3., 4.}}, triangle), 5., 1e-15);
  EXPECT_NEAR(distance_to_triangle({{4., 4., 0.}}, triangle), std::sqrt(8.), 1e-15);
  EXPECT_NEAR(distance_to_triangle({{-2., -3., 6.}}, triangle), 7., 1e-15);
  const Point a{{1., 2., 2.}};
  EXPECT_NEAR(distance_to_triangle({{0., 0., 0.}}, {{a, a, a}}), 3., 1e-15);
  EXPECT_NEAR(distance_to_triangle({{2., 3., 0.}}, {{triangle[0], triangle[1], triangle[1]}}),
              3.,
              1e-15);
}
} // namespace
} // namespace strut::test
