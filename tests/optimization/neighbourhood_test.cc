// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/cone_means.h"
#include "../fixtures/vectors.h"
#include "source/backend/cone_stencil.h"
#include "source/backend/neighbourhood.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

namespace strut::test
{
namespace
{
class NeighbourhoodTest : public PlaceTest
{
protected:
  std::vector<double> mean(const std::vector<double> &points,
                           const std::size_t n_points,
                           const std::size_t n_targets,
                           const double radius,
                           const std::vector<double> &values,
                           const std::vector<SymmetryPlane> &planes = {})
  {
    const CellGrid grid       = CellGrid::build(points, n_points, radius, planes);
    const auto neighbourhoods = backend().make_neighbourhood_sum(grid, n_targets);
    const Array<double> in(memory(), values);
    Array<double> out(memory(), poison<double>(n_targets));
    neighbourhoods->mean(in, out);
    return out.to_host();
  }
};

/// Random points, `[3][n]`, in a box 2 x 1 x 0.5, or flattened into a plane or a line.
std::vector<double>
cloud(const std::size_t n, const unsigned int seed, const std::size_t n_flat = 0)
{
  std::vector<double> points;
  for (std::size_t d = 0; d < 3; ++d)
    for (const double x : random_vector(n, seed + static_cast<unsigned int>(d), 0., 2. / (1 << d)))
      points.push_back(d + n_flat >= 3 ? 0.3 : x - 0.7);
  return points;
}

// Random points; the radius from less than the distance of neighbours to more than the domain.
TEST_P(NeighbourhoodTest, EqualsTheMeanOverAllPairs)
{
  for (const std::size_t n : {1, 2, 33, 500})
    for (const double radius : {1e-3, 0.1, 0.3, 1., 10.})
      {
        SCOPED_TRACE(::testing::Message() << n << " points, radius " << radius);
        const auto points = cloud(n, 1), values = random_vector(n, 9);
        for (const std::size_t n_targets : {n, n / 2})
          EXPECT_LE(relative_difference(mean(points, n, n_targets, radius, values),
                                        cone_means(points, n_targets, radius, values)),
                    1e-13);
      }
}

TEST_P(NeighbourhoodTest, AllowsPointsInAPlaneOrALine)
{
  for (const std::size_t n_flat : {1, 2, 3})
    {
      const auto points = cloud(200, 4, n_flat), values = random_vector(200, 9);
      for (const double radius : {0.05, 0.5})
        EXPECT_LE(relative_difference(mean(points, 200, 200, radius, values),
                                      cone_means(points, 200, radius, values)),
                  1e-13);
    }
}

// Points exactly a radius apart, as on every regular mesh: weight zero, on either side of rounding.
TEST_P(NeighbourhoodTest, AllowsPointsOnTheCells)
{
  std::vector<double> points(3 * 512);
  for (std::size_t p = 0; p < 512; ++p)
    for (std::size_t d = 0; d < 3; ++d)
      points[512 * d + p] = 0.1 * static_cast<double>(p >> (3 * d) & 7);
  const auto values = random_vector(512, 9);
  for (const double radius : {0.1, 0.2, 0.25, 0.3})
    EXPECT_LE(relative_difference(mean(points, 512, 512, radius, values),
                                  cone_means(points, 512, radius, values)),
              1e-13);
}

/// Points of a lattice, `[3][n]`, in random order, some of them left out except the first and last.
std::vector<double> lattice_points(const std::array<std::size_t, 3> &n,
                                   const std::array<double, 3> &spacing,
                                   const double share_of_holes)
{
  std::vector<std::array<double, 3>> places;
  const std::vector<double> is_hole = random_vector(n[0] * n[1] * n[2], 3, 0., 1.);
  for (std::size_t p = 0; p < n[0] * n[1] * n[2]; ++p)
    if (is_hole[p] >= share_of_holes || p == 0 || p + 1 == n[0] * n[1] * n[2])
      places.push_back({{-0.3 + spacing[0] * static_cast<double>(p % n[0]),
                         7. + spacing[1] * static_cast<double>(p / n[0] % n[1]),
                         spacing[2] * static_cast<double>(p / n[0] / n[1])}});
  std::shuffle(places.begin(), places.end(), std::mt19937(5));
  std::vector<double> points;
  for (std::size_t d = 0; d < 3; ++d)
    for (const auto &place : places)
      points.push_back(place[d]);
  return points;
}

// Means computed on a lattice agree with those over all pairs. Lattices are long, flat or thin,
// have holes, mirror images, and points that are no targets. The radius ranges from less than the
// spacing to more than the whole.
TEST_P(NeighbourhoodTest, MeansOnALatticeAreThoseOverAllPairs)
{
  const std::array<double, 3> spacing{{0.1, 0.13, 0.07}};
  for (const std::array<std::size_t, 3> &n : {std::array<std::size_t, 3>{{40, 5, 9}},
                                              {{3, 33, 2}},
                                              {{1, 6, 37}},
                                              {{9, 1, 1}},
                                              {{1, 1, 1}}})
    for (const double holes : {0., 0.3})
      for (const double radius : {0.05, 0.15, 0.4, 1.2})
        {
          const auto points          = lattice_points(n, spacing, holes);
          const std::size_t n_points = points.size() / 3;
          const auto values          = random_vector(n_points, 9);
          const auto lattice         = PointLattice::find(points, n_points, radius);
          if (!lattice)
            {
              EXPECT_TRUE(holes > 0. && n_points < 9); // too few to see the spacing
              continue;
            }
          for (const std::size_t n_targets : {n_points, (n_points + 1) / 2})
            {
              const auto sums = backend().make_lattice_sum(*lattice, n_targets);
              Array<double> in(memory(), values), out(memory(), poison<double>(n_targets));
              sums->mean(in, out);
              Array<double> there(memory(), poison<double>(n_targets)),
                work(memory(), poison<double>(n_targets));
              sums->mean(in, there, &work);
              EXPECT_TRUE(same_bits(there.to_host(), out.to_host()));
              EXPECT_LE(relative_difference(out.to_host(),
                                            cone_means(points, n_targets, radius, values)),
                        1e-13);
              sums->sum(in, in); // in place
              const CellGrid grid = CellGrid::build(points, n_points, radius);
              const Array<double> again(memory(), values);
              backend().make_neighbourhood_sum(grid, n_targets)->sum(again, out);
              const std::vector<double> all = in.to_host();
              EXPECT_LE(relative_difference(
                          std::vector<double>(all.begin(),
                                              all.begin() + static_cast<std::ptrdiff_t>(n_targets)),
                          out.to_host()),
                        1e-13);
            }
          // planes at a face of the first boxes, and through the last places
          const std::vector<SymmetryPlane> planes = {
            {0, -0.3 - 0.5 * spacing[0]}, {2, spacing[2] * (static_cast<double>(n[2]) - 0.5)}};
          const auto whole = PointLattice::find(points, n_points, radius, planes);
          if (!whole)
            {
              EXPECT_GT(holes, 0.); // too few for their box
              continue;
            }
          Array<double> in(memory(), values), out(memory(), poison<double>(n_points));
          backend().make_lattice_sum(*whole, n_points)->mean(in, out);
          EXPECT_LE(relative_difference(out.to_host(),
                                        mean(points, n_points, n_points, radius, values, planes)),
                    1e-13);
        }
}

// On a lattice without holes sums of weights are those of a small lattice, at the clipped places.
TEST_P(NeighbourhoodTest, SumsOfWeightsDependOnTheDistancesToTheFaces)
{
  for (const std::array<std::int32_t, 3> &n :
       {std::array<std::int32_t, 3>{{40, 5, 9}}, {{13, 12, 11}}, {{7, 1, 2}}})
    for (const double radius : {0.05, 0.25, 0.4})
      {
        PointLattice lattice, clipped;
        const auto sums_of_weights = [&](PointLattice &of) {
          of.radius  = radius;
          of.spacing = {{0.1, 0.13, 0.07}};
          of.points.resize(static_cast<std::size_t>(of.n[0] * of.n[1] * of.n[2]));
          std::iota(of.points.begin(), of.points.end(), 0u);
          const Array<double> ones(memory(), std::vector<double>(of.points.size(), 1.));
          Array<double> out(memory(), of.points.size());
          backend().make_lattice_sum(of, of.points.size())->sum(ones, out);
          return out.to_host();
        };
        lattice.n      = n;
        const auto all = sums_of_weights(lattice);
        const ConeStencil stencil(lattice, 0);
        for (std::size_t d = 0; d < 3; ++d)
          clipped.n[d] = ConeStencil::clipped_size(n[d], stencil.reach[d]);
        const auto table  = sums_of_weights(clipped);
        std::size_t point = 0;
        for (int k = 0; k < n[2]; ++k)
          for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i, ++point)
              {
                const auto place = [&](const int at, const std::size_t d) {
                  return ConeStencil::clipped_place(at, n[d], stencil.reach[d]);
                };
                EXPECT_EQ(
                  all[point],
                  table[static_cast<std::size_t>(
                    place(i, 0) + clipped.n[0] * (place(j, 1) + clipped.n[1] * place(k, 2)))]);
              }
      }
}

TEST_P(NeighbourhoodTest, OtherPointsAreNoLattice)
{
  auto points = lattice_points({{5, 4, 3}}, {{0.1, 0.1, 0.1}}, 0.);
  ASSERT_TRUE(PointLattice::find(points, 60, 0.2));
  points[7] += 1e-6;
  EXPECT_FALSE(PointLattice::find(points, 60, 0.2));
  points[7] = points[8], points[67] = points[68], points[127] = points[128]; // twice the same
  EXPECT_FALSE(PointLattice::find(points, 60, 0.2));
  EXPECT_FALSE(PointLattice::find(cloud(60, 1), 60, 0.2));
  EXPECT_FALSE(PointLattice::find({}, 0, 0.2));
}

// The part on one side of its planes has the means of the whole body. There are one plane, two and
// three that cross, and two parallel ones with endless images. The test constructs the whole image
// by image.
TEST_P(NeighbourhoodTest, SeesMirrorImagesBehindPlanesOfSymmetry)
{
  const std::size_t n = 40;
  const auto part = cloud(n, 3), part_values = random_vector(n, 9);
  const std::vector<std::vector<SymmetryPlane>> cases = {{{0, -0.7}},
                                                         {{0, -0.7}, {1, 0.35}},
                                                         {{2, -0.75}, {0, 1.4}, {1, -0.71}},
                                                         {{2, -0.71}, {2, -0.19}},
                                                         {{2, -0.71}, {2, -0.19}, {0, 1.31}}};
  for (const auto &planes : cases)
    for (const double radius : {0.1, 0.4, 1.1})
      {
        std::vector<std::array<double, 3>> places;
        std::vector<double> values = part_values;
        for (std::size_t p = 0; p < n; ++p)
          places.push_back({{part[p], part[n + p], part[2 * n + p]}});
        for (int round = 0; round < 6; ++round) // more than enough rounds between parallel planes
          for (const SymmetryPlane &plane : planes)
            {
              const std::size_t n_before = places.size();
              for (std::size_t p = 0; p < n_before; ++p)
                {
                  auto image          = places[p];
                  image[plane.normal] = 2. * plane.value - image[plane.normal];
                  bool is_new         = std::abs(image[2]) < 4.;
                  for (std::size_t q = 0; q < places.size() && is_new; ++q)
                    is_new = std::hypot(image[0] - places[q][0],
                                        image[1] - places[q][1],
                                        image[2] - places[q][2]) > 1e-9;
                  if (is_new)
                    {
                      places.push_back(image);
                      values.push_back(values[p]);
                    }
                }
            }
        std::vector<double> whole;
        for (std::size_t d = 0; d < 3; ++d)
          for (const auto &place : places)
            whole.push_back(place[d]);
        EXPECT_LE(relative_difference(mean(part, n, n, radius, part_values, planes),
                                      cone_means(whole, n, radius, values)),
                  1e-12)
          << planes.size() << " planes, radius " << radius;
      }
}

// The result may overwrite the argument.
TEST_P(NeighbourhoodTest, WorksInPlace)
{
  const auto points = cloud(300, 7), values = random_vector(300, 8);
  Array<double> in_place(memory(), values);
  const auto neighbourhoods =
    backend().make_neighbourhood_sum(CellGrid::build(points, 300, 0.3), 300);
  neighbourhoods->mean(in_place, in_place);
  EXPECT_TRUE(same_bits(in_place.to_host(), mean(points, 300, 300, 0.3, values)));
}

// A rank without elements has no points; a rank may have ghosts and no targets.
TEST_P(NeighbourhoodTest, AllowsNoPointsOrNoTargets)
{
  EXPECT_TRUE(mean({}, 0, 0, 0.5, {}).empty());
  EXPECT_TRUE(mean(cloud(10, 1), 10, 0, 0.5, random_vector(10, 1)).empty());
}

// Sums have the same bits in every run, and for any number of threads.
TEST_P(NeighbourhoodTest, IsTheSameBits)
{
  const auto points = cloud(700, 5), values = random_vector(700, 6);
  const auto first = mean(points, 700, 700, 0.4, values);
  for (int repetition = 0; repetition < 3; ++repetition)
    EXPECT_TRUE(same_bits(mean(points, 700, 700, 0.4, values), first));
  if (GetParam() == Place::cpu_3_threads)
    {
      const auto other = make_cpu_backend(1);
      Array<double> out(other->memory(), std::size_t(700));
      other->make_neighbourhood_sum(CellGrid::build(points, 700, 0.4), 700)
        ->mean(Array<double>(other->memory(), values), out);
      EXPECT_TRUE(same_bits(out.to_host(), first));
    }
}

INSTANTIATE_TEST_SUITE_P(Core, NeighbourhoodTest, at_all_places(), place_name);

// The grid holds each point once, in the cell that its coordinates name, in order within the cell,
// and `reach` cells cover the radius.
TEST(CellGrid, SortsThePoints)
{
  for (const double radius : {1e-2, 0.3, 5.})
    {
      constexpr std::size_t n = 400;
      const auto points       = cloud(n, 3);
      const CellGrid grid     = CellGrid::build(points, n, radius);
      EXPECT_GE(grid.reach * grid.cell_size, radius);
      ASSERT_EQ(grid.cell_begin.back(), n);
      std::vector<int> seen(n, 0);
      for (std::int32_t k = 0; k < grid.n[2]; ++k)
        for (std::int32_t j = 0; j < grid.n[1]; ++j)
          for (std::int32_t i = 0; i < grid.n[0]; ++i)
            {
              const auto cell = static_cast<std::size_t>(i + grid.n[0] * (j + grid.n[1] * k));
              for (std::uint32_t s = grid.cell_begin[cell]; s < grid.cell_begin[cell + 1]; ++s)
                {
                  const std::uint32_t p = grid.points[s];
                  ++seen[p];
                  EXPECT_TRUE(s == grid.cell_begin[cell] || grid.points[s - 1] < p);
                  for (std::size_t d = 0; d < 3; ++d)
                    EXPECT_EQ(grid.coordinates[d * n + s], points[d * n + p]);
                  EXPECT_EQ(grid.cell_of(points[p], 0), i);
                  EXPECT_EQ(grid.cell_of(points[n + p], 1), j);
                  EXPECT_EQ(grid.cell_of(points[2 * n + p], 2), k);
                }
            }
      EXPECT_EQ(seen, std::vector<int>(n, 1));
    }
}

// A radius far below the distance of the points asks for no more memory than the points do.
TEST(CellGrid, StaysSmallForATinyRadius)
{
  for (const double radius : {1e-6, 1e-12})
    {
      const CellGrid grid = CellGrid::build(cloud(100, 2), 100, radius);
      EXPECT_LE(grid.cell_begin.size(), 8u * 100u + 1u);
      EXPECT_GE(grid.reach * grid.cell_size, radius);
    }
}
} // namespace
} // namespace strut::test
