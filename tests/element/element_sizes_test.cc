// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/element_sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../fixtures/box_mesh.h"
#include "source/element/hexahedron.h"

namespace strut::test
{
namespace
{
/// Coordinates of the vertices of an element, and its volume by gradients().
struct MeasuredElement
{
  MeasuredElement(const ElementMesh &mesh, const std::size_t e)
  {
    vertices(mesh, e, X);
    for (int q = 0; q < 8; ++q)
      {
        double G[3][8];
        const double dx = hexahedron::gradients(X, q, G);
        volume += dx;
        positive = positive && dx > 0.;
      }
  }

  double X[3][8];
  double volume = 0.;
  bool positive = true;
};

// Odd numbers of elements, some of which are inverted or of no volume at all.
TEST(ElementVolumes, AreThoseOfTheQuadrature)
{
  for (const std::array<std::size_t, 3> n : {std::array<std::size_t, 3>{{1, 1, 1}},
                                             std::array<std::size_t, 3>{{3, 3, 1}},
                                             std::array<std::size_t, 3>{{7, 5, 3}},
                                             std::array<std::size_t, 3>{{17, 17, 17}}})
    {
      BoxOptions options = BoxOptions::wild(n, 4);
      options.distortion = 0.6;
      ElementMesh mesh   = make_box(options).mesh;
      for (std::size_t v = 0; v < 8; ++v) // an element that is a point
        mesh.connectivity[v * mesh.n_elements + mesh.n_elements / 2] = 0;
      std::size_t n_inverted = 0;
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        n_inverted += MeasuredElement(mesh, e).positive ? 0 : 1;
      EXPECT_EQ(compute_volumes(mesh, 3), n_inverted);
      ASSERT_EQ(mesh.volumes.size(), mesh.n_elements);
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        EXPECT_NEAR(mesh.volumes[e], MeasuredElement(mesh, e).volume, 1e-15);
    }
}

// Tests any range of elements, and combinations of parts.
TEST(ElementSizes, AreThoseOfASimpleLoop)
{
  ElementMesh mesh = make_box(BoxOptions::wild({{7, 5, 3}}, 2)).mesh;
  compute_volumes(mesh, 1);
  for (const std::size_t begin : {0u, 3u, 40u})
    for (const std::size_t n : {1u, 7u, 8u, 9u, 65u})
      {
        ElementSizes expected;
        for (std::size_t e = begin; e < begin + n; ++e)
          {
            const MeasuredElement element(mesh, e);
            expected.volume += element.volume;
            expected.smallest = std::min(expected.smallest, mesh.volumes[e]);
            for (std::size_t v = 0; v < 8; ++v)
              for (std::size_t d = 0; d < 3; ++d)
                {
                  expected.lower[d]   = std::min(expected.lower[d], element.X[d][v]);
                  expected.upper[d]   = std::max(expected.upper[d], element.X[d][v]);
                  const std::size_t w = v ^ std::size_t(1) << d;
                  double sqr          = 0.;
                  for (std::size_t i = 0; i < 3; ++i)
                    sqr += std::pow(element.X[i][v] - element.X[i][w], 2);
                  expected.shortest_sqr = std::min(expected.shortest_sqr, sqr);
                  expected.longest_sqr  = std::max(expected.longest_sqr, sqr);
                }
          }
        ElementSizes sizes = ElementSizes::of(mesh, begin, begin + n / 3);
        sizes.add(ElementSizes::of(mesh, begin + n / 3, begin + n));
        EXPECT_NEAR(sizes.volume, expected.volume, 1e-14);
        EXPECT_EQ(sizes.lower, expected.lower);
        EXPECT_EQ(sizes.upper, expected.upper);
        EXPECT_NEAR(sizes.shortest_sqr, expected.shortest_sqr, 1e-15);
        EXPECT_NEAR(sizes.longest_sqr, expected.longest_sqr, 1e-15);
        EXPECT_EQ(sizes.smallest, expected.smallest);
      }
}
} // namespace
} // namespace strut::test
