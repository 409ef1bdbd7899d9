// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/dense_reference.h"
#include "source/element/box_stiffness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace strut::test
{
namespace
{
using Edges = std::array<double, 3>;

void make_box_element(const Edges &edges, double (&X)[3][8])
{
  for (int d = 0; d < 3; ++d)
    for (int v = 0; v < 8; ++v)
      X[d][v] = (v >> d & 1) * edges[static_cast<std::size_t>(d)];
}
} // namespace

TEST(BoxStiffness, IsTheMatrixOfTheElement)
{
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> number(-1., 1.);
  for (const double nu : {-0.3, 0., 0.3, 0.49})
    for (const Edges &edges :
         {Edges{{1., 1., 1.}}, Edges{{1., 2.5, 0.3}}, Edges{{1e-3, 2e-3, 7e-4}}})
      for (const Material &material : {Material{2.5, nu}, with_modes(2.5, nu)})
        {
          double X[3][8], u[3][8], f[3][8];
          make_box_element(edges, X);
          ASSERT_TRUE(hexahedron::is_box(X));
          const ElementMatrix K = reference_element_matrix(X, material);
          for (auto &component : u)
            for (double &value : component)
              value = number(generator);
          hexahedron::apply_stiffness(hexahedron::box_stiffness(material, X), u, f);
          double difference = 0., size = 0.;
          for (int v = 0; v < 8; ++v)
            for (int i = 0; i < 3; ++i)
              {
                double expected = 0;
                for (int w = 0; w < 8; ++w)
                  for (int j = 0; j < 3; ++j)
                    expected +=
                      K[static_cast<std::size_t>(3 * v + i)][static_cast<std::size_t>(3 * w + j)] *
                      u[j][w];
                difference = std::max(difference, std::abs(f[i][v] - expected));
                size       = std::max(size, std::abs(expected));
              }
          EXPECT_LE(difference,
                    (material.formulation == Formulation::incompatible_modes ? 1e-13 : 1e-14) *
                      size)
            << "nu = " << nu << ", edge " << edges[0];
        }
}

// Exactly: in float, too, a body that is moved far away has no forces.
TEST(BoxStiffness, ATranslationHasNoForces)
{
  double X[3][8];
  make_box_element({{1., 2.5, 0.3}}, X);
  const auto stiffness = hexahedron::box_stiffness({1., 0.3}, X);
  float u[3][8], f[3][8];
  for (int i = 0; i < 3; ++i)
    for (float &value : u[i])
      value = 1234.5678f * static_cast<float>(i - 1);
  hexahedron::apply_stiffness(stiffness, u, f);
  for (const auto &component : f)
    for (const float value : component)
      EXPECT_EQ(value, 0.f);
}

TEST(BoxStiffness, OtherShapesAreNoBoxes)
{
  double X[3][8];
  make_box_element({{1., 2.5, 0.3}}, X);
  for (int d = 0; d < 3; ++d)
    for (int v = 1; v < 8; ++v)
      {
        const double kept = X[d][v];
        X[d][v] += 1e-8;
        EXPECT_FALSE(hexahedron::is_box(X)) << d << v;
        X[d][v] = kept;
      }
  for (int v = 0; v < 8; ++v)
    std::swap(X[0][v], X[1][v]); // the same box, with its first edge along y
  EXPECT_FALSE(hexahedron::is_box(X));
}
} // namespace strut::test
