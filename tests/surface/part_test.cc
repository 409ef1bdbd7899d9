// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Volume enclosed by a surface, self-intersections, islands, mirror images, smoothing, reduction of
// triangles.
#include "../fixtures/vectors.h"
#include "source/surface/box_tree.h"
#include "source/surface/measures.h"
#include "source/surface/part.h"
#include "source/surface/self_intersections.h"
#include "source/surface/simplify.h"
#include "source/surface/vector3.h"
#include "source/surface/vertex_fans.h"

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace strut::test
{
namespace
{
/// Adds a cube, inside out if its size is negative. @param is_kept  whether its triangles are kept
void add_cube(CutSurface &surface, const Point &low, const double size, const bool is_kept = true)
{
  const auto first = static_cast<std::uint32_t>(surface.mesh.vertices.size());
  const double s   = std::abs(size);
  for (std::size_t v = 0; v < 8; ++v)
    {
      surface.mesh.vertices.push_back({{low[0] + s * static_cast<double>(v & 1),
                                        low[1] + s * static_cast<double>(v >> 1 & 1),
                                        low[2] + s * static_cast<double>(v >> 2)}});
      surface.sizes.push_back(s);
    }
  constexpr std::uint32_t faces[6][4] = {
    {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto &face : faces)
    for (const auto &[a, b] : {std::make_pair(1, 2), std::make_pair(2, 3)})
      {
        Triangle triangle = {{first + face[0], first + face[a], first + face[b]}};
        if (size < 0.)
          std::swap(triangle[1], triangle[2]);
        surface.mesh.triangles.push_back(triangle);
        surface.is_kept.push_back(is_kept ? 1 : 0);
      }
}

/// A sphere of radius 1 from an octahedron, each triangle cut into n^2, with noise on the vertices.
CutSurface rough_sphere(const int n, const double noise)
{
  CutSurface sphere;
  std::map<std::array<int, 3>, std::uint32_t> number;
  const auto vertex = [&](const int x, const int y, const int z) {
    const auto [found, is_new] =
      number.emplace(std::array<int, 3>{{x, y, z}},
                     static_cast<std::uint32_t>(sphere.mesh.vertices.size()));
    if (is_new)
      {
        const Point place = {{double(x), double(y), double(z)}};
        sphere.mesh.vertices.push_back((1. / length(place)) * place);
        sphere.sizes.push_back(1.5 / n);
      }
    return found->second;
  };
  for (const int sx : {-1, 1})
    for (const int sy : {-1, 1})
      for (const int sz : {-1, 1})
        for (int i = 0; i < n; ++i)
          for (int j = 0; i + j < n; ++j)
            {
              const auto at = [&](const int a, const int b) {
                return vertex(sx * a, sy * b, sz * (n - a - b));
              };
              const auto add = [&](Triangle triangle) {
                if (sx * sy * sz < 0)
                  std::swap(triangle[1], triangle[2]);
                sphere.mesh.triangles.push_back(triangle);
                sphere.is_kept.push_back(0);
              };
              add({{at(i, j), at(i + 1, j), at(i, j + 1)}});
              if (i + j + 1 < n)
                add({{at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)}});
            }
  const std::vector<double> off = random_vector(sphere.mesh.vertices.size(), 5, -noise, noise);
  for (std::size_t v = 0; v < off.size(); ++v)
    sphere.mesh.vertices[v] = (1. + off[v]) * sphere.mesh.vertices[v];
  return sphere;
}

double roughness(const TriangleMesh &mesh)
{
  double sum = 0., squares = 0.;
  for (const Point &x : mesh.vertices)
    {
      sum += length(x);
      squares += strut::dot(x, x);
    }
  const auto n = static_cast<double>(mesh.vertices.size());
  return std::sqrt(std::max(0., squares / n - sum * sum / (n * n)));
}

// Bodies around demanded places stay, with their cavities; a place in the largest body changes
// nothing.
TEST(Surface, DemandedBodiesStay)
{
  const auto bodies = [] {
    CutSurface surface;
    add_cube(surface, {{0., 0., 0.}}, 4.);
    add_cube(surface, {{6., 0., 0.}}, 2.);
    add_cube(surface, {{6.5, 0.5, 0.5}}, -1.); // a cavity in it
    add_cube(surface, {{9., 0., 0.}}, 1.);
    return surface;
  };
  CutSurface surface  = bodies();
  LargestBody largest = keep_largest_body(surface, {{{1., 1., 1.}}, {{6.2, 0.2, 0.2}}});
  EXPECT_NEAR(enclosed_volume(surface.mesh), 64. + 7., 1e-12);
  EXPECT_EQ(largest.apart, std::vector<std::size_t>{1});
  EXPECT_EQ(largest.n_cavities, 1u);
  ASSERT_EQ(largest.islands.size(), 1u);
  EXPECT_NEAR(largest.islands[0].volume, 1., 1e-12);
  surface = bodies();
  largest = keep_largest_body(surface, {{{1., 1., 1.}}});
  EXPECT_NEAR(enclosed_volume(surface.mesh), 64., 1e-12);
  EXPECT_TRUE(largest.apart.empty());
  EXPECT_EQ(largest.islands.size(), 2u);
}

TEST(Surface, VolumeAreaAndFaultyEdgesOfACube)
{
  CutSurface cube;
  add_cube(cube, {{1., 2., 3.}}, 2.);
  EXPECT_NEAR(enclosed_volume(cube.mesh), 8., 1e-12);
  EXPECT_NEAR(surface_area(cube.mesh), 24., 1e-12);
  EXPECT_TRUE(faulty_edges(cube.mesh).empty());
  CutSurface open = cube;
  open.mesh.triangles.pop_back();
  EXPECT_EQ(faulty_edges(open.mesh).size(), 3u);
  CutSurface turned = cube;
  std::swap(turned.mesh.triangles[0][0], turned.mesh.triangles[0][1]);
  EXPECT_EQ(faulty_edges(turned.mesh).size(), 3u);
}

using Edge = std::array<std::uint32_t, 2>;

/// Faulty edges, counted by a map of all edges.
std::vector<Edge> faulty_edges_by_map(const TriangleMesh &mesh)
{
  std::map<Edge, std::array<int, 2>> uses; // up and down
  for (const Triangle &triangle : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i)
      {
        const std::uint32_t a = triangle[i], b = triangle[(i + 1) % 3];
        ++uses[{{std::min(a, b), std::max(a, b)}}][a > b ? 1 : 0];
      }
  std::vector<Edge> faulty;
  for (const auto &[edge, n] : uses)
    if (n[0] != 1 || n[1] != 1)
      faulty.push_back(edge);
  return faulty;
}

// Random triangles of few vertices, some of them twice the same.
TEST(Surface, FaultyEdgesAreThoseWithoutTwoTrianglesInOppositeDirections)
{
  for (unsigned int seed = 1; seed <= 200; ++seed)
    {
      std::mt19937 random(seed);
      TriangleMesh mesh;
      mesh.vertices.resize(6);
      for (std::size_t t = 0; t < 4 + seed % 20; ++t)
        {
          Triangle triangle;
          for (std::uint32_t &v : triangle)
            v = static_cast<std::uint32_t>(random() % mesh.vertices.size());
          mesh.triangles.push_back(triangle);
          if (random() % 2 == 0)
            mesh.triangles.push_back({{triangle[1], triangle[0], triangle[2]}});
        }
      const std::vector<Edge> faulty = faulty_edges_by_map(mesh);
      EXPECT_EQ(faulty_edges(mesh), faulty) << seed;
      EXPECT_EQ(faulty_edges(mesh, 3), faulty) << seed;
    }
}

// Enough vertices for several threads: a sphere with randomly numbered vertices, some of whose
// triangles are missing, reversed, or duplicate.
TEST(Surface, FaultyEdgesOfManyVertices)
{
  std::mt19937 random(1);
  TriangleMesh mesh = rough_sphere(64, 0.).mesh;
  ASSERT_GT(mesh.vertices.size(), 10000u);
  std::vector<std::uint32_t> numbers(mesh.vertices.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::shuffle(numbers.begin(), numbers.end(), random);
  std::vector<Triangle> triangles;
  for (Triangle triangle : mesh.triangles)
    {
      for (std::uint32_t &v : triangle)
        v = numbers[v];
      const auto fault = random() % 300;
      if (fault == 1)
        std::swap(triangle[0], triangle[1]);
      if (fault != 0)
        triangles.push_back(triangle);
      if (fault == 2)
        triangles.push_back(triangle);
    }
  std::shuffle(triangles.begin(), triangles.end(), random);
  mesh.triangles                 = triangles;
  const std::vector<Edge> faulty = faulty_edges_by_map(mesh);
  ASSERT_GT(faulty.size(), 100u);
  for (const int n_threads : {1, 2, 3, 70})
    EXPECT_EQ(faulty_edges(mesh, n_threads), faulty) << n_threads;
}

// Triangles with integer vertices cross if and only if no plane separates them. The candidates'
// normals are the two normals of the triangles, and the cross products of their edges.
TEST(Surface, TrianglesCrossWhereNoPlaneSeparatesThem)
{
  std::size_t n_crossed = 0;
  for (unsigned int seed = 1; seed <= 3000; ++seed)
    {
      CutSurface pair;
      const std::vector<double> numbers = random_vector(18, seed, -5., 5.);
      for (std::size_t v = 0; v < 6; ++v)
        pair.mesh.vertices.push_back({{std::round(numbers[3 * v]),
                                       std::round(numbers[3 * v + 1]),
                                       std::round(numbers[3 * v + 2])}});
      pair.mesh.triangles = {{{0, 1, 2}}, {{3, 4, 5}}};
      const auto edge     = [&](const std::size_t t, const std::size_t i) {
        return pair.mesh.vertices[3 * t + (i + 1) % 3] - pair.mesh.vertices[3 * t + i];
      };
      std::vector<Point> directions = {cross(edge(0, 0), edge(0, 1)),
                                       cross(edge(1, 0), edge(1, 1))};
      if (length(directions[0]) == 0. || length(directions[1]) == 0.)
        continue;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
          directions.push_back(cross(edge(0, i), edge(1, k)));
      double widest = -1e9; // gap between the triangles
      for (const Point &direction : directions)
        if (length(direction) > 0.)
          {
            double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
            for (std::size_t v = 0; v < 6; ++v)
              {
                const double place = strut::dot(direction, pair.mesh.vertices[v]);
                low[v / 3]         = std::min(low[v / 3], place);
                high[v / 3]        = std::max(high[v / 3], place);
              }
            widest = std::max({widest, low[1] - high[0], low[0] - high[1]});
          }
      if (widest == 0.) // the bodies touch
        continue;
      const bool crossed = widest < 0.;
      n_crossed += crossed ? 1 : 0;
      EXPECT_EQ(self_intersections(pair.mesh, 1).size(), crossed ? 2u : 0u) << "seed " << seed;
    }
  EXPECT_GT(n_crossed, 200u);
}

TEST(Surface, TrianglesOfOnePlaneOverlap)
{
  CutSurface pair;
  pair.mesh.vertices = {
    {{0., 0., 0.}}, {{4., 0., 0.}}, {{0., 4., 0.}}, {{1., 1., 0.}}, {{5., 1., 0.}}, {{1., 5., 0.}}};
  pair.mesh.triangles = {{{0, 1, 2}}, {{3, 4, 5}}};
  EXPECT_EQ(self_intersections(pair.mesh, 1).size(), 2u);
  for (std::size_t v = 3; v < 6; ++v)
    pair.mesh.vertices[v][0] += 4.;
  EXPECT_TRUE(self_intersections(pair.mesh, 1).empty());
  // neighbours that fold onto each other
  pair.mesh.vertices  = {{{0., 0., 0.}}, {{4., 0., 0.}}, {{0., 4., 0.}}, {{1., 3., 0.}}};
  pair.mesh.triangles = {{{0, 1, 2}}, {{1, 0, 3}}};
  EXPECT_EQ(self_intersections(pair.mesh, 1).size(), 2u);
  pair.mesh.vertices[3] = {{1., -3., 0.}};
  EXPECT_TRUE(self_intersections(pair.mesh, 1).empty());
}

// A body with a cavity that contains another body, beside a third body with a cavity.
TEST(Surface, TheLargestBodyStaysWithItsCavities)
{
  CutSurface surface;
  add_cube(surface, {{20., 0., 0.}}, 6.);
  add_cube(surface, {{21., 1., 1.}}, -1.);
  add_cube(surface, {{0., 0., 0.}}, 10.);
  add_cube(surface, {{1., 1., 1.}}, -4.);
  add_cube(surface, {{2., 2., 2.}}, 1.);
  const LargestBody found = keep_largest_body(surface);
  EXPECT_EQ(found.n_cavities, 1u);
  ASSERT_EQ(found.islands.size(), 2u);
  EXPECT_NEAR(found.islands[0].volume, 215., 1e-10);
  EXPECT_NEAR(found.islands[1].volume, 1., 1e-12);
  EXPECT_EQ(found.islands[1].low, (Point{{2., 2., 2.}}));
  EXPECT_NEAR(enclosed_volume(surface.mesh), 1000. - 64., 1e-10);
  EXPECT_EQ(surface.mesh.vertices.size(), 16u);
  EXPECT_EQ(surface.is_kept.size(), surface.mesh.triangles.size());
}

TEST(Surface, GoesOnBehindPlanes)
{
  CutSurface cube;
  add_cube(cube, {{0., 0., 0.}}, 1.);
  const CutSurface half = with_mirror_image(cube, {0, 1.}, 1e-9);
  EXPECT_TRUE(faulty_edges(half.mesh).empty());
  EXPECT_NEAR(enclosed_volume(half.mesh), 2., 1e-14);
  EXPECT_EQ(half.mesh.vertices.size(), 12u);
  const CutSurface quarter = with_mirror_image(half, {2, 0.}, 1e-9);
  EXPECT_TRUE(faulty_edges(quarter.mesh).empty());
  EXPECT_NEAR(enclosed_volume(quarter.mesh), 4., 1e-14);
}

TEST(Surface, AMirrorPlaneIsAtItsBoundary)
{
  CutSurface cube;
  add_cube(cube, {{0., 0., 0.}}, 1.);
  EXPECT_THROW(with_mirror_image(cube, {0, 0.5}, 1e-9), Error);
  PartSettings settings;
  settings.mirrors      = {{0, -1.}};
  settings.keep_islands = true;
  const Part apart      = make_part(cube, settings, 1);
  EXPECT_NEAR(apart.volume, 2., 1e-12);
  ASSERT_EQ(apart.warnings.size(), 1u);
}

// Two cubes that meet in one vertex.
TEST(Surface, PartsThatMeetInAVertexComeApart)
{
  CutSurface surface;
  add_cube(surface, {{0., 0., 0.}}, 1.);
  add_cube(surface, {{1., 1., 1.}}, 1.);
  for (Triangle &triangle : surface.mesh.triangles)
    std::replace(triangle.begin(), triangle.end(), 8u, 7u);
  EXPECT_EQ(separate_fans(surface), 1u);
  EXPECT_TRUE(faulty_edges(surface.mesh).empty());
  EXPECT_TRUE(self_intersections(surface.mesh, 1).empty());
  double least = 1.;
  for (std::size_t v = 0; v < surface.mesh.vertices.size(); ++v)
    for (std::size_t w = 0; w < v; ++w)
      if (w != 8 && v != 8) // no triangle has it any more
        least = std::min(least, length(surface.mesh.vertices[v] - surface.mesh.vertices[w]));
  EXPECT_GT(least, 1e-2);
}

TEST(Surface, BecomesSmoothAndKeepsItsVolume)
{
  const CutSurface rough = rough_sphere(24, 0.01);
  PartSettings settings;
  settings.error  = 0.;
  const Part part = make_part(rough, settings, 2);
  EXPECT_TRUE(part.warnings.empty());
  EXPECT_EQ(part.mesh.triangles, rough.mesh.triangles);
  EXPECT_LT(roughness(part.mesh), 0.35 * roughness(rough.mesh));
  EXPECT_NEAR(part.volume, enclosed_volume(rough.mesh), 1e-6);
  EXPECT_LE(part.farthest, settings.smoothing.reach * (1. + 1e-12));
  AxisBox before, after; // nothing passes the faces of the domain
  for (const Point &x : rough.mesh.vertices)
    before.add(x);
  for (const Point &x : part.mesh.vertices)
    after.add(x);
  for (std::size_t d = 0; d < 3; ++d)
    EXPECT_TRUE(after.low[d] >= before.low[d] && after.high[d] <= before.high[d]);
  const Part again = make_part(rough, settings, 1);
  EXPECT_EQ(again.mesh.vertices, part.mesh.vertices);
}

// A cube with kept faces is a cube for ever: its vertices are between three planes.
TEST(Surface, KeepsCornersOfKeptFaces)
{
  CutSurface cube;
  add_cube(cube, {{0., 0., 0.}}, 1.);
  const Part kept             = make_part(cube, {}, 1);
  std::vector<Point> vertices = kept.mesh.vertices;
  for (std::vector<Point> *const list : {&vertices, &cube.mesh.vertices})
    std::sort(list->begin(), list->end());
  EXPECT_EQ(vertices, cube.mesh.vertices);
  EXPECT_NEAR(kept.volume, 1., 1e-14);
}

TEST(Surface, HasFewerTrianglesWithinTheError)
{
  const CutSurface sphere = rough_sphere(40, 0.);
  constexpr double error  = 0.005;
  const CutSurface simple = simplify(sphere, error, 2);
  EXPECT_LT(simple.mesh.triangles.size(), sphere.mesh.triangles.size() / 3);
  EXPECT_TRUE(faulty_edges(simple.mesh).empty());
  EXPECT_TRUE(self_intersections(simple.mesh, 1).empty());
  EXPECT_TRUE(vertices_of_several_fans(simple.mesh).empty());
  for (const Triangle &triangle : simple.mesh.triangles)
    {
      const Point centre =
        (1. / 3.) * (simple.mesh.vertices[triangle[0]] + simple.mesh.vertices[triangle[1]] +
                     simple.mesh.vertices[triangle[2]]);
      EXPECT_NEAR(length(centre), 1., 2. * error);
    }
  EXPECT_EQ(simplify(sphere, error, 1).mesh.triangles, simple.mesh.triangles);
}
} // namespace
} // namespace strut::test
