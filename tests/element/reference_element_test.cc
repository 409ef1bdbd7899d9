// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/vectors.h"
#include "source/element/reference_element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace strut::test
{
namespace
{
template <typename Element>
class ReferenceElement : public ::testing::Test
{
protected:
  static constexpr int n             = Element::n_nodes;
  static constexpr bool is_quadratic = Element::n_nodes > Element::n_vertices;
  static constexpr bool is_simplex   = Element::n_vertices == 4;

  /// A random point inside of the element.
  static void point(Random &random, double (&x)[3])
  {
    do
      for (double &coordinate : x)
        coordinate = random(0., 1.);
    while (is_simplex && x[0] + x[1] + x[2] > 1.);
  }

  static void node(const int a, double (&x)[3])
  {
    for (int d = 0; d < 3; ++d)
      x[d] = 0.5 * Element::position(a, d);
  }
};

using Elements = ::testing::Types<Hex8, Hex20, Hex20Irons, Tet4, Tet10>;
TYPED_TEST_SUITE(ReferenceElement, Elements, );

TYPED_TEST(ReferenceElement, ShapeFunctionsAreOneAtTheirNode)
{
  for (int a = 0; a < this->n; ++a)
    for (int b = 0; b < this->n; ++b)
      {
        double x[3];
        this->node(b, x);
        EXPECT_NEAR(TypeParam::shape_value(a, x), a == b ? 1. : 0., 1e-15) << a << " at " << b;
      }
}

TYPED_TEST(ReferenceElement, ShapeFunctionsArePartitionsOfUnity)
{
  Random random(1);
  for (int repetition = 0; repetition < 20; ++repetition)
    {
      double x[3], sum = 0., of_gradients[3] = {};
      this->point(random, x);
      for (int a = 0; a < this->n; ++a)
        {
          double gradient[3];
          sum += TypeParam::shape_value(a, x);
          TypeParam::shape_gradient(a, x, gradient);
          for (int d = 0; d < 3; ++d)
            of_gradients[d] += gradient[d];
        }
      EXPECT_NEAR(sum, 1., 1e-14);
      for (const double component : of_gradients)
        EXPECT_NEAR(component, 0., 1e-13);
    }
}

// sum_a p(x_a) N_a = p for x, y, z, and for all quadratic p where there are midpoints.
TYPED_TEST(ReferenceElement, ShapeFunctionsHoldThePolynomials)
{
  Random random(2);
  for (int repetition = 0; repetition < 20; ++repetition)
    {
      double c[10];
      for (int i = 0; i < 10; ++i)
        c[i] = i < 4 || this->is_quadratic ? random(-1., 1.) : 0.;
      const auto p = [&](const double(&x)[3]) {
        return c[0] + c[1] * x[0] + c[2] * x[1] + c[3] * x[2] + c[4] * x[0] * x[0] +
               c[5] * x[1] * x[1] + c[6] * x[2] * x[2] + c[7] * x[0] * x[1] + c[8] * x[1] * x[2] +
               c[9] * x[0] * x[2];
      };
      double x[3], interpolated = 0.;
      this->point(random, x);
      for (int a = 0; a < this->n; ++a)
        {
          double x_a[3];
          this->node(a, x_a);
          interpolated += p(x_a) * TypeParam::shape_value(a, x);
        }
      EXPECT_NEAR(interpolated, p(x), 1e-14);
    }
}

TYPED_TEST(ReferenceElement, GradientsAreThoseOfFiniteDifferences)
{
  Random random(3);
  const double h = 1e-5; // central: error h^2
  for (int repetition = 0; repetition < 5; ++repetition)
    for (int a = 0; a < this->n; ++a)
      {
        double x[3], gradient[3];
        this->point(random, x);
        TypeParam::shape_gradient(a, x, gradient);
        for (int d = 0; d < 3; ++d)
          {
            double before[3] = {x[0], x[1], x[2]}, after[3] = {x[0], x[1], x[2]};
            before[d] -= h;
            after[d] += h;
            const double difference =
              (TypeParam::shape_value(a, after) - TypeParam::shape_value(a, before)) / (2. * h);
            EXPECT_NEAR(gradient[d], difference, 1e-9);
          }
      }
}

// int x^i y^j z^k: 1 / ((i+1) (j+1) (k+1)) on the cube, i! j! k! / (i+j+k+3)! on the tetrahedron.
TYPED_TEST(ReferenceElement, QuadratureIsExactToItsDegree)
{
  const std::string name = TypeParam::name;
  const int degree       = name == "tet4" ? 1 : name == "tet10" ? 2 : name == "hex8" ? 3 : 5;
  const bool each        = !this->is_simplex && name != "hex20-14"; // products of Gauss rules
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; j <= degree; ++j)
      for (int k = 0; k <= degree; ++k)
        {
          if (!each && i + j + k > degree)
            continue;
          double sum = 0.;
          for (int q = 0; q < TypeParam::n_quadrature_points; ++q)
            {
              double x[3];
              const double weight = TypeParam::quadrature_point(q, x);
              sum += weight * std::pow(x[0], i) * std::pow(x[1], j) * std::pow(x[2], k);
            }
          const double exact = this->is_simplex ? std::tgamma(i + 1) * std::tgamma(j + 1) *
                                                    std::tgamma(k + 1) / std::tgamma(i + j + k + 4)
                                                : 1. / ((i + 1) * (j + 1) * (k + 1));
          EXPECT_NEAR(sum, exact, 1e-15) << i << ' ' << j << ' ' << k;
        }
}

TYPED_TEST(ReferenceElement, SameInSinglePrecision)
{
  Random random(4);
  double x[3];
  this->point(random, x);
  const float single[3] = {float(x[0]), float(x[1]), float(x[2])};
  for (int a = 0; a < this->n; ++a)
    {
      double gradient[3];
      float single_gradient[3];
      TypeParam::shape_gradient(a, x, gradient);
      TypeParam::shape_gradient(a, single, single_gradient);
      EXPECT_NEAR(TypeParam::shape_value(a, single), TypeParam::shape_value(a, x), 1e-6);
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(single_gradient[d], gradient[d], 4e-6);
    }
}

// The lines of deal.II's cells, as its documentation draws them.
TEST(ReferenceElement, MidpointsAreInTheMiddleOfDealIIsLines)
{
  const int of_cube[12][2] = {
    {0, 2}, {1, 3}, {0, 1}, {2, 3}, {4, 6}, {5, 7}, {4, 5}, {6, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const int of_tetrahedron[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (int d = 0; d < 3; ++d)
    {
      for (int line = 0; line < 12; ++line)
        EXPECT_EQ(2 * Hex20::position(8 + line, d),
                  Hex20::position(of_cube[line][0], d) + Hex20::position(of_cube[line][1], d));
      for (int line = 0; line < 6; ++line)
        EXPECT_EQ(2 * Tet10::position(4 + line, d),
                  Tet10::position(of_tetrahedron[line][0], d) +
                    Tet10::position(of_tetrahedron[line][1], d));
    }
}

TEST(ReferenceElement, TypesHaveNamesAndNodes)
{
  EXPECT_STREQ(name(ElementType::hex8), "hex8");
  EXPECT_STREQ(name(ElementType::hex20), "hex20");
  EXPECT_STREQ(name(ElementType::hex20_irons), "hex20-14");
  EXPECT_STREQ(name(ElementType::tet4), "tet4");
  EXPECT_STREQ(name(ElementType::tet10), "tet10");
  EXPECT_EQ(n_nodes(ElementType::hex8), 8);
  EXPECT_EQ(n_nodes(ElementType::hex20), 20);
  EXPECT_EQ(n_nodes(ElementType::hex20_irons), 20);
  EXPECT_EQ(n_nodes(ElementType::tet4), 4);
  EXPECT_EQ(n_nodes(ElementType::tet10), 10);
}
} // namespace
} // namespace strut::test
