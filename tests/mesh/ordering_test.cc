// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/ordering.h"

#include <gtest/gtest.h>

#include <cmath>

namespace strut::test
{
namespace
{
void expect_permutation(std::vector<std::uint32_t> order, const std::size_t n)
{
  ASSERT_EQ(order.size(), n);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(order[i], i);
}

double mean_jump(const std::vector<double> &points,
                 const std::size_t n,
                 const std::vector<std::uint32_t> &order)
{
  double sum = 0;
  for (std::size_t k = 1; k < n; ++k)
    {
      double square = 0;
      for (std::size_t d = 0; d < 3; ++d)
        square += std::pow(points[d * n + order[k]] - points[d * n + order[k - 1]], 2);
      sum += std::sqrt(square);
    }
  return sum / static_cast<double>(n - 1);
}

// If one vertex of a unit cube is at (2, 1, 3), the sums over the vertices are 5, 4 and 6. The
// other mesh is distorted, with nodes and elements in any order.
TEST(ElementCentres, AreTheMeansOfTheVertices)
{
  ElementMesh cube = make_box(BoxOptions::unit_cubes({{1, 1, 1}})).mesh;
  for (std::size_t node = 0; node < 8; ++node)
    if (cube.coordinates[node] + cube.coordinates[8 + node] + cube.coordinates[16 + node] == 3.)
      {
        cube.coordinates[node]      = 2.;
        cube.coordinates[16 + node] = 3.;
      }
  EXPECT_EQ(element_centres(cube), (std::vector<double>{5. / 8., 4. / 8., 6. / 8.}));

  const ElementMesh mesh = make_box(BoxOptions::wild({{7, 6, 5}}, 3)).mesh;
  const auto centres     = element_centres(mesh);
  ASSERT_EQ(centres.size(), 3 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t d = 0; d < 3; ++d)
      {
        double sum = 0.;
        for (std::size_t v = 0; v < 8; ++v)
          sum += mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
        EXPECT_NEAR(centres[d * mesh.n_elements + e], sum / 8., 1e-14) << e << ", " << d;
      }
}

TEST(HilbertOrder, IsAPermutation)
{
  for (const std::size_t n : {0, 1, 2, 7, 1000})
    expect_permutation(hilbert_order(random_vector(3 * n, 1), n), n);
}

// Places of a coarse lattice, so that many keys are equal.
TEST(HilbertOrder, AndFirstTouchAreTheSameOnAllThreads)
{
  constexpr std::size_t n    = 5000;
  std::vector<double> points = random_vector(3 * n, 1);
  for (double &x : points)
    x = std::round(8. * x);
  std::vector<LocalIndex> keys(4 * n);
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = static_cast<LocalIndex>(7919 * i % 10007 / 2);
  std::vector<std::vector<std::uint32_t>> orders, numbers, keys_of_nodes;
  for (const int n_threads : {1, 3})
    {
      const int before = cpu::default_n_threads();
      cpu::set_default_n_threads(n_threads);
      orders.push_back(hilbert_order(points, n));
      cpu::set_default_n_threads(before);
      numbers.push_back(keys);
      keys_of_nodes.push_back(number_by_first_touch(5004, n, numbers.back(), n_threads));
    }
  EXPECT_EQ(orders[0], orders[1]);
  expect_permutation(orders[0], n);
  EXPECT_EQ(numbers[0], numbers[1]);
  EXPECT_EQ(keys_of_nodes[0], keys_of_nodes[1]);
  LocalIndex next = 0; // numbers of nodes ascend where elements have them first
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t a = 0; a < 4; ++a)
      {
        const LocalIndex number = numbers[0][a * n + e];
        EXPECT_EQ(keys_of_nodes[0][number], keys[a * n + e]);
        EXPECT_LE(number, next);
        next += number == next ? 1 : 0;
      }
  EXPECT_EQ(next, keys_of_nodes[0].size());
}

// Equal keys keep their order: all points in one place, and in pairs.
TEST(HilbertOrder, IsStable)
{
  const std::vector<double> same(3 * 100, 0.7);
  const auto order = hilbert_order(same, 100);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(order[i], i);
}

// On a cube of 2^k cells the curve always steps to a cell that shares a face.
TEST(HilbertOrder, StepsToTheNeighbourOnACube)
{
  BoxOptions options       = BoxOptions::regular({{16, 16, 16}});
  options.shuffle_elements = true;
  const BoxMesh box        = make_box(options);
  const auto order         = hilbert_order(element_centres(box.mesh), box.mesh.n_elements);
  expect_permutation(order, box.mesh.n_elements);
  EXPECT_NEAR(mean_jump(element_centres(box.mesh), box.mesh.n_elements, order), 1. / 16., 1e-12);
}

// On boxes of other shapes and with distortion the mean jump stays near the size of an element. In
// random order it is a third of the domain or more.
TEST(HilbertOrder, KeepsNeighboursTogether)
{
  for (const auto &n :
       std::vector<std::array<std::size_t, 3>>{{20, 10, 10}, {40, 5, 5}, {13, 11, 17}})
    {
      BoxOptions options = BoxOptions::wild(n, 3);
      for (std::size_t d = 0; d < 3; ++d)
        options.size[d] = static_cast<double>(n[d]); // elements of size one
      const BoxMesh box     = make_box(options);
      const std::size_t all = box.mesh.n_elements;
      const double jump =
        mean_jump(element_centres(box.mesh), all, hilbert_order(element_centres(box.mesh), all));
      EXPECT_LT(jump, 1.5);
      EXPECT_GT(mean_jump(element_centres(box.mesh), all, Random(4).permutation(all)), 3. * jump);
    }
}

// A flat cloud of points has no height to be scaled by.
TEST(HilbertOrder, AllowsPointsInAPlaneOrALine)
{
  for (const std::size_t n_flat : {1, 2})
    {
      auto points = random_vector(300, 6);
      std::fill(points.end() - static_cast<std::ptrdiff_t>(100 * n_flat), points.end(), 0.25);
      const auto order = hilbert_order(points, 100);
      expect_permutation(order, 100);
      EXPECT_LT(mean_jump(points, 100, order),
                0.5 * mean_jump(points, 100, Random(7).permutation(100)));
    }
}
} // namespace
} // namespace strut::test
