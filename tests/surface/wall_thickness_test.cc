// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Walls of bodies with known thickness.
#include "source/surface/wall_thickness.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace strut
{
namespace
{
constexpr double pi = 3.14159265358979323846;

/// A prism over a convex polygon in x and z, from y = 0 to y = width.
TriangleMesh prism(const std::vector<std::array<double, 2>> &corners, const double width = 1.)
{
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(corners.size());
  for (const double y : {0., width})
    for (const auto &[x, z] : corners)
      mesh.vertices.push_back({{x, y, z}});
  for (std::uint32_t i = 0; i < n; ++i)
    {
      const std::uint32_t j = (i + 1) % n;
      mesh.triangles.push_back({{i, i + n, j}});
      mesh.triangles.push_back({{j, i + n, j + n}});
    }
  for (std::uint32_t i = 1; i + 1 < n; ++i)
    {
      mesh.triangles.push_back({{0, i, i + 1}});
      mesh.triangles.push_back({{n, n + i + 1, n + i}});
    }
  return mesh;
}

std::vector<std::array<double, 2>> wedge(const double degrees)
{
  return {{{0., 0.}}, {{1., 0.}}, {{1., std::tan(degrees * pi / 180.)}}};
}

TEST(WallThickness, OfAPlateIsNotItsWidth)
{
  for (const int n_threads : {1, 3})
    {
      const auto plate =
        wall_thickness(prism({{{2., 5.}}, {{4., 5.}}, {{4., 5.1}}, {{2., 5.1}}}), n_threads);
      ASSERT_TRUE(plate);
      EXPECT_NEAR(plate->least, 0.1, 1e-12);
      EXPECT_NEAR(plate->one_percent, 0.1, 1e-12);
    }
}

TEST(WallThickness, OfARoundBarIsItsDiameter)
{
  std::vector<std::array<double, 2>> circle;
  for (int i = 0; i < 90; ++i)
    circle.push_back({{std::cos(i * pi / 45.), std::sin(i * pi / 45.)}});
  const auto bar = wall_thickness(prism(circle, 5.), 2);
  ASSERT_TRUE(bar);
  EXPECT_NEAR(bar->one_percent, 2., 0.01);
  EXPECT_LE(bar->least, 2.);
}

TEST(WallThickness, OfASharpWedgeVanishesAndOfACornerDoesNot)
{
  const auto sharp = wall_thickness(prism(wedge(20.)), 1);
  ASSERT_TRUE(sharp);
  EXPECT_LT(sharp->least, 0.2);
  EXPECT_LT(sharp->place[0], 0.4);
  const auto blunt = wall_thickness(prism(wedge(50.)), 1); // walls along y alone
  ASSERT_TRUE(blunt);
  EXPECT_NEAR(blunt->least, 1., 1e-12);
}

TEST(WallThickness, OfNothingIsNone)
{
  EXPECT_FALSE(wall_thickness(TriangleMesh(), 1));
}
} // namespace
} // namespace strut
