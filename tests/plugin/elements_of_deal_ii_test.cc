// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The elements of strut are those of deal.II: nodes, shape functions and quadrature.
#include "source/element/elements.h"

#include "tests/fixtures/vectors.h"

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace strut
{
namespace
{

template <typename Element>
class ElementOfDealII : public ::testing::Test
{
protected:
  static constexpr bool is_simplex     = Element::n_vertices == 4;
  static constexpr unsigned int degree = Element::n_nodes == Element::n_vertices ? 1 : 2;

  /// Calls `action` with the finite element of deal.II.
  template <typename Action>
  static void with_fe(const Action &action)
  {
    if constexpr (is_simplex)
      action(dealii::FE_SimplexP<3>(degree));
    else
      action(dealii::FE_Q<3>(degree));
  }
};

using ElementsOfDealII = ::testing::Types<Hex8, Hex27, Tet4, Tet10, Tet10Curved>;
TYPED_TEST_SUITE(ElementOfDealII, ElementsOfDealII, );

template <typename Element>
void expect_nodes(const dealii::FiniteElement<3> &fe)
{
  for (int node = 0; node < Element::n_nodes; ++node)
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(fe.unit_support_point(static_cast<unsigned int>(node))[d],
                  0.5 * Element::position(node, d),
                  1e-15)
        << "node " << node << ", direction " << d;
}

TYPED_TEST(ElementOfDealII, HasItsNodesInItsOrder)
{
  this->with_fe([](const auto &fe) {
    EXPECT_EQ(TypeParam::n_nodes, static_cast<int>(fe.n_dofs_per_cell()));
    expect_nodes<TypeParam>(fe);
  });
}

// deal.II has no serendipity element.
TEST(ElementOfDealII, Hex20HasTheFirstNodesOfTheSecondDegree)
{
  expect_nodes<Hex20>(dealii::FE_Q<3>(2));
}

TYPED_TEST(ElementOfDealII, HasItsShapeFunctions)
{
  test::Random random(7);
  this->with_fe([&](const auto &fe) {
    for (int repetition = 0; repetition < 20; ++repetition)
      {
        double x[3];
        do
          for (double &coordinate : x)
            coordinate = random(0., 1.);
        while (this->is_simplex && x[0] + x[1] + x[2] > 1.);
        const dealii::Point<3> point(x[0], x[1], x[2]);
        for (int node = 0; node < TypeParam::n_nodes; ++node)
          {
            const unsigned int i = static_cast<unsigned int>(node);
            double gradient[3];
            TypeParam::shape_gradient(node, x, gradient);
            EXPECT_NEAR(TypeParam::shape_value(node, x), fe.shape_value(i, point), 1e-14);
            for (int d = 0; d < 3; ++d)
              EXPECT_NEAR(gradient[d], fe.shape_grad(i, point)[d], 1e-13);
          }
      }
  });
}

/// Expects the same points with the same weights, each once, in any order.
template <typename Element>
void expect_points(const dealii::Quadrature<3> &expected)
{
  ASSERT_EQ(Element::n_quadrature_points, static_cast<int>(expected.size()));
  std::vector<bool> found(expected.size(), false);
  for (int q = 0; q < Element::n_quadrature_points; ++q)
    {
      double x[3];
      const double weight  = Element::quadrature_point(q, x);
      unsigned int nearest = 0;
      for (unsigned int k = 0; k < expected.size(); ++k)
        if (expected.point(k).distance(dealii::Point<3>(x[0], x[1], x[2])) <
            expected.point(nearest).distance(dealii::Point<3>(x[0], x[1], x[2])))
          nearest = k;
      EXPECT_FALSE(found[nearest]);
      found[nearest] = true;
      EXPECT_NEAR(expected.weight(nearest), weight, 1e-15) << "point " << q;
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(expected.point(nearest)[d], x[d], 1e-15) << "point " << q;
    }
}

/// Expects the same integrals of all polynomials up to a degree.
template <typename Element>
void expect_integrals(const dealii::Quadrature<3> &expected, const int degree)
{
  const auto polynomial = [](const int i, const int j, const int k, const auto &x) {
    return std::pow(x[0], i) * std::pow(x[1], j) * std::pow(x[2], k);
  };
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; i + j <= degree; ++j)
      for (int k = 0; i + j + k <= degree; ++k)
        {
          double sum = 0., sum_of_deal_ii = 0.;
          for (int q = 0; q < Element::n_quadrature_points; ++q)
            {
              double x[3];
              const double weight = Element::quadrature_point(q, x);
              sum += weight * polynomial(i, j, k, x);
            }
          for (unsigned int q = 0; q < expected.size(); ++q)
            sum_of_deal_ii += expected.weight(q) * polynomial(i, j, k, expected.point(q));
          EXPECT_NEAR(sum, sum_of_deal_ii, 1e-15) << i << ' ' << j << ' ' << k;
        }
}

// deal.II takes more points for quadratic tetrahedra: 6 and 14.
TEST(ElementOfDealII, HasItsQuadrature)
{
  expect_points<Hex8>(dealii::QGauss<3>(2));
  expect_points<Hex20>(dealii::QGauss<3>(3));
  expect_points<Hex27>(dealii::QGauss<3>(3));
  expect_points<Tet4>(dealii::QGaussSimplex<3>(1));
  expect_integrals<Tet10>(dealii::QGaussSimplex<3>(2), 2);
  expect_integrals<Tet10Curved>(dealii::QGaussSimplex<3>(3), 3);
}
} // namespace
} // namespace strut
