// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/adapted_box.h"
#include "applied.h"
#include "source/element/tangent_product.h"
#include "source/mesh/identical_elements.h"

#include <strut/backend/stiffness.h>
#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>

#include <algorithm>
#include <string>
#include <vector>

namespace strut::test
{
namespace
{
/// Random symmetric tangents, definite or not: `[n_points][21][n_elements]`.
struct RandomTangents
{
  RandomTangents(const ElementMesh &mesh, const unsigned int n_points, const unsigned int seed)
    : n_points(n_points), n_elements(mesh.n_elements)
  {
    for (unsigned int k = 0; k < n_points * n_tangent_components; ++k)
      numbers.push_back(random_vector(n_elements, seed + 1000 * k, -1., 1.));
  }

  double get(const std::size_t e, const unsigned int q, const unsigned int k) const
  {
    return numbers[(n_points == 1 ? 0 : q) * n_tangent_components + k][e];
  }

  Stiffness::Fields fields() const
  {
    return [this](const unsigned int q, const unsigned int k, Array<double> &values) {
      values.copy_from_host(numbers[q * n_tangent_components + k]);
    };
  }

  const unsigned int n_points;
  const std::size_t n_elements;
  std::vector<std::vector<double>> numbers;
};

/// The sum of element matrices that are computed entry by entry.
ReferenceStiffness reference_with(const RandomTangents &tangents, const ElementMesh &mesh)
{
  std::vector<ElementMatrix> matrices(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const auto tangent = [&](const int q, const int k) {
        return tangents.get(e, static_cast<unsigned int>(q), static_cast<unsigned int>(k));
      };
      const hexahedron::on_the_fly::TangentSolid<decltype(tangent)> solid{tangent};
      double X[3][8], rows[3][24];
      shape_of(mesh, e, X);
      for (std::size_t a = 0; a < 8; ++a)
        {
          hexahedron::stiffness_rows_by_points(X, solid, static_cast<int>(a), rows);
          for (std::size_t i = 0; i < 3; ++i)
            std::copy_n(rows[i], 24, matrices[e][3 * a + i].begin());
        }
    }
  return {mesh, matrices};
}

/// Tests every strategy; most of them do not support tangents.
class TangentOperatorTest : public ElementOperatorTest
{
protected:
  template <typename Number>
  void expect_reference(const ElementMesh &mesh, const unsigned int seed)
  {
    Memory &memory       = backend().memory();
    const double epsilon = 2. * rounding<Number>();
    const auto &strategy = find_strategy<Number>(backend(), GetParam().strategy);
    ASSERT_EQ(strategy.takes(Law::tangents), is_on_the_fly());
    if (!strategy.takes(Law::tangents))
      return;
    const auto K = strategy.make(backend(), mesh, Material());
    Array<Number> x(memory, random_vector<Number>(mesh.n_dofs(), seed)), y(memory, mesh.n_dofs()),
      blocks(memory, 2 * mesh.n_dofs());
    Array<double> c(memory, mesh.n_elements);
    for (const unsigned int n_points : {8u, 1u, 8u}) // other ones replace them
      {
        const RandomTangents tangents(mesh, n_points, seed + n_points);
        const ReferenceStiffness reference = reference_with(tangents, mesh);
        K->set(mesh, Stiffness::of_tangents(n_points, tangents.fields()));
        y.copy_from_host(poison<Number>(y.size()));
        K->apply(x, y);
        const std::vector<double> expected = reference.apply(x.to_host());
        EXPECT_LE(relative_difference(y.to_host(), expected), epsilon);
        if (K->takes_float())
          expect_product_of_float(*K, memory, mesh, strategy.deterministic);
        if (K->can_subtract())
          {
            K->subtract(x, y);
            EXPECT_LE(norm(y.to_host()), epsilon * norm(expected));
          }
        K->diagonal(y);
        EXPECT_LE(relative_difference(y.to_host(), reference.diagonal()), epsilon);
        K->diagonal_blocks(blocks);
        EXPECT_LE(relative_difference(blocks.to_host(), reference.diagonal_blocks()), epsilon);
        K->energies(x, c);
        EXPECT_LE(relative_difference(c.to_host(), reference.energies(x.to_host())), 10. * epsilon);

        // back again, and the means
        for (const unsigned int k : {0u, 4u, 20u})
          {
            K->mean_component(k, n_points - 1, 1, c);
            std::vector<double> values =
              tangents.numbers[(n_points - 1) * n_tangent_components + k];
            EXPECT_LE(relative_difference(c.to_host(), values), rounding<Number>());
            K->mean_component(k, 0, n_points, c);
            for (std::size_t e = 0; e < mesh.n_elements; ++e)
              {
                values[e] = 0.;
                for (unsigned int q = 0; q < n_points; ++q)
                  values[e] += tangents.get(e, q, k) / n_points;
              }
            EXPECT_LE(relative_difference(c.to_host(), values), rounding<Number>());
          }
      }
  }
};

TEST_P(TangentOperatorTest, EqualsTheSumOfElementMatrices)
{
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const std::array<std::size_t, 3> &n :
         std::vector<std::array<std::size_t, 3>>{{1, 1, 1}, {31, 1, 1}, {1, 2, 129}, {4, 5, 3}})
      if (!identical_elements_only())
        {
          const BoxMesh box = make_box(BoxOptions::wild(n, 3));
          expect_reference<Number>(box.mesh, 4);
        }
  });
}

// Strategies may have separate code for copies of a box, which tangents do not use.
TEST_P(TangentOperatorTest, EqualsTheSumOfElementMatricesWhereAllElementsAreOneBox)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::regular({{5, 4, 6}}, {{3., 5., 1.3}}).shuffled());
    expect_reference<Number>(box.mesh, 6);
  });
}

TEST_P(TangentOperatorTest, EqualsTheSumOfElementMatricesWhereElementsAreSimilar)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one size only";
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    AdaptedBox box(5, [](const double x, const double y, double) { return x < 2. || y > 3.; });
    expect_reference<Number>(box.mesh, 8);
  });
}

// Elements far from the origin, whose coordinates have few digits left, and elements ten times
// longer than thick.
TEST_P(TangentOperatorTest, EqualsTheSumOfElementMatricesFarFromTheOrigin)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one size only";
  with_number([&](const auto tag) {
    using Number       = decltype(number_of(tag));
    BoxOptions options = BoxOptions::wild({{4, 5, 3}}, 7);
    options.size       = {{40., 5., 3.}};
    ElementMesh mesh   = make_box(options).mesh;
    expect_reference<Number>(mesh, 10);
    for (double &x : mesh.coordinates) // exactly, so that the reference has the same elements
      x = static_cast<double>(static_cast<float>(x)) + 1024.;
    expect_reference<Number>(mesh, 12);
  });
}

// The exception has given the reason; the operator is then neither the old one nor a mixture.
TEST_P(TangentOperatorTest, OperatorsWithPartOfTheirTangentsRefuseUse)
{
  if (!is_on_the_fly())
    GTEST_SKIP() << "it takes no tangents";
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    Memory &memory    = backend().memory();
    const BoxMesh box = make_box(BoxOptions::wild({{3, 2, 2}}, 3));
    ElasticityOperator<Number> K(
      backend(), Communicator(), box.mesh, Material(), GetParam().strategy);
    const Array<double> factors(memory, random_vector(box.mesh.n_elements, 3, 0.5, 1.));
    Array<Number> x(memory, random_vector<Number>(box.mesh.n_dofs(), 4)),
      y(memory, box.mesh.n_dofs());
    const auto product = [&]() {
      K.apply(x, y);
      const std::vector<Number> values = y.to_host();
      return std::vector<double>(values.begin(), values.end());
    };
    const RandomTangents tangents(box.mesh, 8, 5);
    const Stiffness all = Stiffness::of_tangents(8, tangents.fields());
    const auto fail     = [&]() {
      EXPECT_THROW(K.set(Stiffness::of_tangents(
                     8,
                     [&](const unsigned int q, const unsigned int k, Array<double> &to) {
                       if (q == 3 && k == 4)
                         throw OutOfMemory("there is none");
                       all.component(q, k, to);
                     })),
                   OutOfMemory);
      EXPECT_TRUE(K.is_lost());
      EXPECT_NE(K.law(), Law::tangents);
      EXPECT_THROW(K.apply(x, y), Error);
      EXPECT_THROW(K.diagonal(y), Error);
    };
    K.set(factors);
    const std::vector<double> with_factors = product();
    fail();
    K.set(all);
    const std::vector<double> with_tangents = product();
    EXPECT_GT(relative_difference(with_tangents, with_factors), 0.1);
    fail();
    K.set(all);
    EXPECT_LE(relative_difference(product(), with_tangents), rounding<Number>());
    fail();
    K.set(factors);
    EXPECT_LE(relative_difference(product(), with_factors), rounding<Number>());
  });
}

INSTANTIATE_TEST_SUITE_P(Core, TangentOperatorTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
