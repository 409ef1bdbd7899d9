// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Products on the fly of elements of every type, against their stiffness matrices.
#include "source/element/element_stiffness.h"
#include "source/element/type_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace strut::test
{
namespace
{
/// A number that counts its operations.
struct Counted
{
  using value_type = double;
  double value     = 0.;
  static inline int n_operations;

  Counted() = default;
  explicit Counted(const double value) : value(value)
  {}
};
Counted counted(const double value)
{
  ++Counted::n_operations;
  return Counted(value);
}
Counted operator+(const Counted a, const Counted b)
{
  return counted(a.value + b.value);
}
Counted operator-(const Counted a, const Counted b)
{
  return counted(a.value - b.value);
}
Counted operator*(const Counted a, const Counted b)
{
  return counted(a.value * b.value);
}
Counted operator/(const Counted a, const Counted b)
{
  return counted(a.value / b.value);
}
Counted operator-(const Counted a)
{
  return Counted(-a.value);
}
Counted &operator+=(Counted &a, const Counted b)
{
  return a = a + b;
}
Counted &operator-=(Counted &a, const Counted b)
{
  return a = a - b;
}

/// Compares a product with the matrix, and its operations with what it says of them.
template <typename Product, typename Element>
void check(const bool is_straight)
{
  SCOPED_TRACE(Element::name);
  constexpr int n = Element::n_nodes;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> range(-0.06, 0.06);
  double X[3][n];
  for (int d = 0; d < 3; ++d)
    {
      for (int a = 0; a < n; ++a)
        X[d][a] = 0.5 * Element::position(a, d) + range(random);
    }
  // Straight lines have their linear function's values at the nodes.
  for (int a = Element::n_vertices; a < n && is_straight; ++a)
    {
      const double x[] = {0.5 * Element::position(a, 0),
                          0.5 * Element::position(a, 1),
                          0.5 * Element::position(a, 2)};
      for (int d = 0; d < 3; ++d)
        {
          X[d][a] = 0.;
          for (int v = 0; v < Element::n_vertices; ++v)
            X[d][a] += X[d][v] * (Element::n_vertices == 4 ? Tet4::shape_value(v, x)
                                                           : Hex8::shape_value(v, x));
        }
    }
  std::vector<double> K(9 * n * n);
  const double lambda = 0.7, mu = 0.4;
  element_stiffness::matrix<Element>(X, lambda, mu, K.data());
  Counted places[3][Product::n_coordinates], u[3][n], f[3][n];
  for (int d = 0; d < 3; ++d)
    for (int a = 0; a < n; ++a)
      {
        u[d][a] = Counted(10. * range(random));
        if (a < Product::n_coordinates)
          places[d][a] = Counted(X[d][a]);
      }
  Counted::n_operations = 0;
  Product::apply({Counted(lambda), Counted(mu)}, places, u, f);
  EXPECT_EQ(Counted::n_operations, Product::flops);
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < 3; ++i)
      {
        double expected = 0.;
        for (int b = 0; b < n; ++b)
          for (int j = 0; j < 3; ++j)
            expected += K[3 * n * (3 * a + i) + 3 * b + j] * u[j][b].value;
        EXPECT_NEAR(f[i][a].value, expected, 1e-13) << a << ", " << i;
      }
}

TEST(TypeProductTest, IsThatOfTheMatrix)
{
  std::apply(
    [](const auto... element) {
      (check<type_product::ByPoints<std::decay_t<decltype(element)>>,
             std::decay_t<decltype(element)>>(false),
       ...);
      (check<type_product::Product<std::decay_t<decltype(element)>>,
             std::decay_t<decltype(element)>>(true),
       ...);
      (check<type_product::Curved<std::decay_t<decltype(element)>>,
             std::decay_t<decltype(element)>>(false),
       ...);
    },
    Elements());
}
} // namespace
} // namespace strut::test
