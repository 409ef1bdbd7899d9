// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/element/iso_cell.h"
#include "source/mesh/faces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace strut
{
namespace
{
using Field = std::array<double, 8>;

double fraction(const Field &field, const double level)
{
  double values[8];
  std::copy(field.begin(), field.end(), values);
  return iso_cell::fraction(values, level);
}

/// The 48 symmetries of the cube as permutations of its corners; the 24 rotations first.
std::vector<std::array<int, 8>> symmetries()
{
  std::vector<std::array<int, 8>> result = test::cube_rotations();
  for (std::array<int, 8> image : test::cube_rotations())
    {
      for (int &v : image)
        v ^= 1;
      result.push_back(image);
    }
  return result;
}

int image_of(const int marking, const std::array<int, 8> &symmetry)
{
  int image = 0;
  for (int v = 0; v < 8; ++v)
    image |= (marking >> v & 1) << symmetry[v];
  return image;
}

std::vector<int> cut_edges(const int marking)
{
  std::vector<int> edges;
  for (int e = 0; e < iso_cell::n_edges; ++e)
    if (iso_cell::is_marked(marking, iso_cell::edge_begin(e)) !=
        iso_cell::is_marked(marking, iso_cell::edge_begin(e) | 1 << iso_cell::edge_direction(e)))
      edges.push_back(e);
  return edges;
}

TEST(IsoCell, FacesAreSeenFromOutsideAndEdgesHaveTheirEnds)
{
  std::map<int, int> seen;
  for (int f = 0; f < 6; ++f)
    for (int k = 0; k < 4; ++k)
      {
        const int v = face_corner(f, k), w = face_corner(f, (k + 1) % 4);
        EXPECT_EQ(v >> (f >> 1) & 1, f & 1);
        const int edge = iso_cell::edge_between(v, w);
        EXPECT_EQ(iso_cell::edge_begin(edge), v & w);
        EXPECT_EQ(iso_cell::edge_begin(edge) | 1 << iso_cell::edge_direction(edge), v | w);
        seen[edge] += v < w ? 1 : 100; // once in each direction
      }
  ASSERT_EQ(seen.size(), 12u);
  for (const auto &[edge, directions] : seen)
    EXPECT_EQ(directions, 101) << edge;
}

TEST(IsoCell, EveryCutEdgeIsEnteredOnceAndLeftOnce)
{
  std::map<int, int> by_triangles;
  for (int marking = 0; marking < 256; ++marking)
    {
      const std::vector<int> edges = cut_edges(marking);
      const std::uint64_t next     = iso_cell::loops(marking);
      std::vector<int> entered, left;
      for (int e = 0; e < iso_cell::n_edges; ++e)
        if (iso_cell::next_edge(next, e) != 15)
          {
            left.push_back(e);
            entered.push_back(iso_cell::next_edge(next, e));
          }
      std::sort(entered.begin(), entered.end());
      EXPECT_EQ(left, edges) << marking;
      EXPECT_EQ(entered, edges) << marking;

      std::set<int> seen;
      int n_triangles = 0; // number of triangles of fans from a point of each loop
      for (const int begin : edges)
        if (seen.count(begin) == 0)
          {
            int n = 0;
            for (int e = begin; seen.insert(e).second; e = iso_cell::next_edge(next, e))
              ++n;
            n_triangles += n - 2;
          }
      ++by_triangles[n_triangles];
    }
  // Martinez-Frutos and Herrero-Perez (2017): at most 5
  EXPECT_EQ(by_triangles,
            (std::map<int, int>{{0, 2}, {1, 16}, {2, 50}, {3, 80}, {4, 76}, {5, 32}}));
}

TEST(IsoCell, HasTwentyThreeClassesUnderRotations)
{
  const auto all = symmetries();
  ASSERT_EQ(all.size(), 48u);
  std::set<int> classes;
  for (int marking = 0; marking < 256; ++marking)
    {
      int smallest = marking;
      for (int r = 0; r < 24; ++r)
        smallest = std::min(smallest, image_of(marking, all[r]));
      classes.insert(smallest);
    }
  EXPECT_EQ(classes.size(), 23u);
}

TEST(IsoCell, CutsInTheMiddleOfEdgesGiveKnownShares)
{
  // the key is the smallest marking of the class, the value the share times 48
  const std::map<int, double> expected = {{1, 1},     {3, 6},    {6, 2},          {7, 14.2},
                                          {15, 24},   {22, 3},   {23, 24},        {24, 2},
                                          {25, 7},    {27, 24},  {29, 24},        {30, 15.2},
                                          {31, 33.8}, {60, 12},  {61, 227. / 7.}, {63, 42},
                                          {105, 4},   {107, 25}, {111, 42},       {126, 46},
                                          {127, 47}};
  for (const auto &[marking, share] : expected)
    {
      Field field;
      for (int v = 0; v < 8; ++v)
        field[v] = iso_cell::is_marked(marking, v) ? 1. : -1.;
      EXPECT_NEAR(48. * fraction(field, 0.), share, 1e-12) << marking;
    }
}

/// Share of the unit cube with n . x >= c, by inclusion and exclusion of corner tetrahedra. They
/// cancel for small components, hence the long double.
double exact_share(const std::array<double, 3> &n, const double c)
{
  // reflect so that all components are positive: x -> 1 - x changes c
  long double level = c, product = 6.;
  std::array<long double, 3> positive{};
  for (int d = 0; d < 3; ++d)
    {
      positive[d] = std::abs(n[d]);
      if (n[d] < 0.)
        level += positive[d];
      product *= positive[d];
    }
  long double below = 0.;
  for (int v = 0; v < 8; ++v)
    {
      long double reach = level;
      for (int d = 0; d < 3; ++d)
        reach -= (v >> d & 1) * positive[d];
      const int sign = ((v ^ v >> 1 ^ v >> 2) & 1) != 0 ? -1 : 1;
      if (reach > 0.)
        below += sign * reach * reach * reach;
    }
  return static_cast<double>(1. - below / product);
}

TEST(IsoCell, IsExactForPlanes)
{
  std::mt19937 random(1);
  std::uniform_real_distribution<double> component(0.01, 1.), place(0., 1.);
  double worst = 0.;
  for (int i = 0; i < 1000000; ++i)
    {
      std::array<double, 3> n{};
      double c = 0.;
      for (double &x : n)
        {
          x = component(random) * ((random() & 1) != 0 ? 1. : -1.);
          c += x * place(random);
        }
      Field field{};
      for (int v = 0; v < 8; ++v)
        for (int d = 0; d < 3; ++d)
          field[v] += n[d] * (v >> d & 1);
      worst = std::max(worst, std::abs(fraction(field, c) - exact_share(n, c)));
    }
  EXPECT_LE(worst, 1e-13);
}

TEST(IsoCell, IsTheSameForAllSymmetriesOfTheCube)
{
  std::mt19937 random(2);
  std::uniform_real_distribution<double> value(-1., 1.);
  double worst = 0.;
  for (int i = 0; i < 5000; ++i)
    {
      Field field{}, image{};
      for (double &f : field)
        f = value(random);
      const double share = fraction(field, 0.1);
      EXPECT_GE(share, -1e-15);
      EXPECT_LE(share, 1. + 1e-15);
      for (const auto &symmetry : symmetries())
        {
          for (int v = 0; v < 8; ++v)
            image[symmetry[v]] = field[v];
          worst = std::max(worst, std::abs(fraction(image, 0.1) - share));
        }
    }
  EXPECT_LE(worst, 1e-14);
}

/// Caps and loops close: their area vectors sum to zero. Caps of a face agree with those of its
/// neighbour.
TEST(IsoCell, CapsAndLoopsBoundAPolytope)
{
  std::mt19937 random(3);
  std::uniform_real_distribution<double> size(0.01, 1.);
  for (int marking = 0; marking < 256; ++marking)
    for (int i = 0; i < 50; ++i)
      {
        double field[8];
        for (int v = 0; v < 8; ++v)
          field[v] = iso_cell::is_marked(marking, v) ? size(random) : -size(random);
        double area[3] = {};
        double faces   = 0.; // volume by the mean of all faces, instead of cones from a corner
        const auto add =
          [&](const iso_cell::Point &a, const iso_cell::Point &b, const iso_cell::Point &c) {
            for (int d = 0; d < 3; ++d)
              {
                const int p = (d + 1) % 3, q = (d + 2) % 3;
                const double component = 0.5 * ((b.x[p] - a.x[p]) * (c.x[q] - a.x[q]) -
                                                (b.x[q] - a.x[q]) * (c.x[p] - a.x[p]));
                area[d] += component;
                faces += component * ((a.x[d] + b.x[d] + c.x[d]) / 3. - 0.37) / 3.;
              }
          };
        for (int f = 0; f < 6; ++f)
          iso_cell::for_each_cap_triangle(f, marking, field, 0., add);
        iso_cell::for_each_iso_triangle(marking, field, 0., add);
        for (const double component : area)
          EXPECT_NEAR(component, 0., 1e-14) << marking;
        EXPECT_NEAR(faces, iso_cell::fraction(field, 0.), 1e-14) << marking;
      }
}

TEST(IsoCell, ConvergesToASphereWithSecondOrder)
{
  const double radius = 0.3, exact = 4. / 3. * M_PI * radius * radius * radius;
  const std::map<int, double> expected = {{8, -1.057e-1},
                                          {16, -2.568e-2},
                                          {32, -6.481e-3},
                                          {64, -1.621e-3}};
  for (const auto &[n, error] : expected)
    {
      double volume = 0.;
      for (int cell = 0; cell < n * n * n; ++cell)
        {
          Field field{};
          for (int v = 0; v < 8; ++v)
            {
              const double x = (cell % n + (v & 1)) / double(n) - 0.5;
              const double y = (cell / n % n + (v >> 1 & 1)) / double(n) - 0.49;
              const double z = (cell / n / n + (v >> 2)) / double(n) - 0.51;
              field[v]       = radius - std::sqrt(x * x + y * y + z * z);
            }
          volume += fraction(field, 0.) / (double(n) * n * n);
        }
      EXPECT_NEAR(volume / exact - 1., error, 6e-4 * std::abs(error));
    }
}

/// Makes a unit cube whose vertices are each moved by up to `distance` in every direction.
void distorted(std::mt19937 &random, const double distance, double (&X)[3][8])
{
  std::uniform_real_distribution<double> move(-distance, distance);
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d)
      X[d][v] = (v >> d & 1) + move(random);
}

/// Calls `triangle(a, b, c)` for the boundary of the part in which the field is below the level,
/// outwards. The construction is independent of iso_cell. It makes a closed polygon around that
/// part of each face, and fans over the loops of the polygons' cuts. Two corners across a face form
/// one piece here, whereas iso_cell makes two of two marked ones.
template <typename Triangle>
void for_each_facet_below(const double (&field)[8], const double level, const Triangle &triangle)
{
  struct Vertex
  {
    iso_cell::Point point;
    int edge; ///< edge that is cut there; -1 for a corner of the cell
  };
  std::map<int, int> next; // next cut of each cut, counter-clockwise around the polygons
  std::map<int, iso_cell::Point> cuts;
  for (int f = 0; f < 6; ++f)
    {
      std::vector<Vertex> polygon;
      for (int k = 0; k < 4; ++k)
        {
          const int v = face_corner(f, k), w = face_corner(f, (k + 1) % 4);
          if (field[v] < level)
            polygon.push_back({iso_cell::corner(v), -1});
          if ((field[v] < level) == (field[w] < level))
            continue;
          const int d    = v < w ? w - v : v - w;
          const double t = (level - field[v]) / (field[w] - field[v]);
          auto point     = iso_cell::corner(v);
          for (int i = 0; i < 3; ++i)
            if (d == 1 << i)
              point.x[i] += t * (v < w ? 1. : -1.);
          const int edge = 8 * std::min(v, w) + std::max(v, w);
          cuts[edge]     = point;
          polygon.push_back({point, edge});
        }
      for (std::size_t i = 0; i < polygon.size(); ++i)
        {
          if (i >= 2)
            triangle(polygon[0].point, polygon[i - 1].point, polygon[i].point);
          // the loop goes back along the side that two faces do not share
          const Vertex &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
          if (from.edge >= 0 && to.edge >= 0)
            next[to.edge] = from.edge;
        }
    }
  std::set<int> seen;
  for (const auto &[begin, ignored] : next)
    {
      if (!seen.insert(begin).second)
        continue;
      std::vector<iso_cell::Point> loop = {cuts.at(begin)};
      for (int edge = next.at(begin); edge != begin; edge = next.at(edge))
        {
          seen.insert(edge);
          loop.push_back(cuts.at(edge));
        }
      iso_cell::Point mean{};
      for (const auto &point : loop)
        for (int d = 0; d < 3; ++d)
          mean.x[d] += point.x[d] / static_cast<double>(loop.size());
      for (std::size_t i = 0; i < loop.size(); ++i)
        triangle(mean, loop[i], loop[(i + 1) % loop.size()]);
    }
}

/// The share below the level, by for_each_facet_below(), and the one above it sum to one, for all
/// markings and random cuts.
TEST(IsoCell, InsideAndOutsideMakeOne)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<double> size(0.01, 1.);
  for (int marking = 0; marking < 256; ++marking)
    for (int i = 0; i < 50; ++i)
      {
        double field[8], outside = 0.;
        for (int v = 0; v < 8; ++v)
          field[v] = iso_cell::is_marked(marking, v) ? size(random) : -size(random);
        for_each_facet_below(field, 0., [&](const auto &a, const auto &b, const auto &c) {
          outside += iso_cell::cone(a, b, c) / 6.;
        });
        EXPECT_NEAR(iso_cell::fraction(field, 0.) + outside, 1., 1e-14) << marking;
      }
}

TEST(IsoCell, PartsOfADistortedCellFillIt)
{
  std::mt19937 random(4);
  std::uniform_real_distribution<double> value(-1., 1.);
  for (int i = 0; i < 5000; ++i)
    {
      double X[3][8], field[8], outside = 0.;
      distorted(random, 0.2, X);
      for (double &f : field)
        f = value(random);
      double cell = 0., gradients[3][8]; // integral by Gauss points
      for (int q = 0; q < 8; ++q)
        cell += hexahedron::gradients(X, q, gradients);
      for_each_facet_below(field, 0., [&](const auto &a, const auto &b, const auto &c) {
        outside += iso_cell::cone_volume(iso_cell::Determinant(X), a, b, c);
      });
      EXPECT_NEAR((iso_cell::volume(X, field, 0.) + outside) / cell, 1., 1e-14);
    }
}

TEST(IsoCell, SharesOfAnAffineImageAreThoseOfTheCube)
{
  std::mt19937 random(5);
  std::uniform_real_distribution<double> value(-1., 1.);
  for (int i = 0; i < 1000; ++i)
    {
      double A[3][3], X[3][8], field[8];
      for (auto &row : A)
        for (double &a : row)
          a = value(random);
      for (int v = 0; v < 8; ++v)
        {
          field[v] = value(random);
          for (int d = 0; d < 3; ++d)
            X[d][v] = 2. + A[d][0] * (v & 1) + A[d][1] * (v >> 1 & 1) + A[d][2] * (v >> 2);
        }
      const double determinant = iso_cell::Determinant(X)({{0.5, 0.5, 0.5}});
      EXPECT_NEAR(iso_cell::volume(X, field, 0.2),
                  determinant * iso_cell::fraction(field, 0.2),
                  1e-14);
    }
}

/// Compares with an integral of the determinant by a fine midpoint rule. Planes cut, so that the
/// part is known without iso_cell.
TEST(IsoCell, VolumesOfDistortedCellsAreIntegrals)
{
  std::mt19937 random(6);
  for (int i = 0; i < 3; ++i)
    {
      double X[3][8], field[8];
      distorted(random, 0.2, X);
      const double n[3] = {1., 0.6, -0.4}, c = 0.55;
      for (int v = 0; v < 8; ++v)
        field[v] = n[0] * (v & 1) + n[1] * (v >> 1 & 1) + n[2] * (v >> 2);
      double sum      = 0.;
      constexpr int m = 100;
      for (int k = 0; k < m; ++k)
        for (int j = 0; j < m; ++j)
          for (int q = 0; q < m; ++q)
            {
              const iso_cell::Point point = {{(q + 0.5) / m, (j + 0.5) / m, (k + 0.5) / m}};
              if (n[0] * point.x[0] + n[1] * point.x[1] + n[2] * point.x[2] >= c)
                sum += iso_cell::Determinant(X)(point) / (m * m * m);
            }
      EXPECT_NEAR(iso_cell::volume(X, field, c), sum, 1e-3);
    }
}
} // namespace
} // namespace strut
