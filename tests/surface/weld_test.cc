// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/surface/measures.h"
#include "source/surface/weld.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
/// A tetrahedron whose triangles share no vertices.
TriangleMesh loose_tetrahedron(const Point &low, const double size)
{
  const Point corners[4] = {low,
                            {{low[0] + size, low[1], low[2]}},
                            {{low[0], low[1] + size, low[2]}},
                            {{low[0], low[1], low[2] + size}}};
  TriangleMesh mesh;
  for (const auto &face :
       {Triangle{{0, 2, 1}}, Triangle{{0, 1, 3}}, Triangle{{0, 3, 2}}, Triangle{{1, 2, 3}}})
    {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const std::uint32_t corner : face)
        mesh.vertices.push_back(corners[corner]);
      mesh.triangles.push_back({{first, first + 1, first + 2}});
    }
  return mesh;
}

TriangleMesh in_floats(TriangleMesh mesh)
{
  for (Point &x : mesh.vertices)
    for (double &coordinate : x)
      coordinate = static_cast<double>(static_cast<float>(coordinate));
  return mesh;
}

TEST(Weld, VerticesAtOnePlaceAreOne)
{
  const TriangleMesh mesh = loose_tetrahedron({{1., 2., 3.}}, 0.5), whole = welded(mesh);
  EXPECT_EQ(whole.vertices.size(), 4u);
  EXPECT_EQ(whole.triangles.size(), 4u);
  EXPECT_NEAR(enclosed_volume(whole), 0.125 / 6., 1e-15);
  EXPECT_TRUE(is_closed_in_file(mesh, 1));
  TriangleMesh open = mesh;
  open.triangles.pop_back();
  EXPECT_FALSE(is_closed_in_file(open, 1));
  EXPECT_FALSE(is_closed_in_file(TriangleMesh(), 1));
}

// Two bodies whose distance is below single-precision rounding share an edge in such a file: four
// triangles.
TEST(Weld, RoundingMayCloseAGap)
{
  TriangleMesh both  = loose_tetrahedron({{1., 2., 3.}}, 0.5);
  TriangleMesh other = loose_tetrahedron({{1., 2., 3.}}, 0.5);
  for (Point &x : other.vertices) // the image behind an edge, turned by half about it
    x = {{2. - x[0] - 1e-9, 4. - x[1] - 1e-9, x[2]}};
  for (const Triangle &triangle : other.triangles)
    both.triangles.push_back({{triangle[0] + 12, triangle[1] + 12, triangle[2] + 12}});
  both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
  EXPECT_TRUE(is_closed_in_file(both, 1));
  EXPECT_FALSE(is_closed_in_file(in_floats(both), 1));
}

// Triangles that lose a corner go, and their neighbours meet.
TEST(Weld, TrianglesWithoutAreaGo)
{
  // a pyramid over a quadrilateral of which two corners are one in single precision
  TriangleMesh mesh;
  mesh.vertices = {
    {{0., 0., 0.}}, {{1., 0., 0.}}, {{1., 1., 0.}}, {{1. - 1e-9, 1., 0.}}, {{0.2, 0.2, 1.}}};
  mesh.triangles = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 4}}, {{1, 2, 4}}, {{2, 3, 4}}, {{3, 0, 4}}};
  EXPECT_EQ(welded(mesh).triangles.size(), 6u);
  EXPECT_EQ(welded(in_floats(mesh)).triangles.size(), 4u);
  EXPECT_TRUE(is_closed_in_file(in_floats(mesh), 1));
}
} // namespace
} // namespace strut::test
