// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/adapted_box.h"
#include "applied.h"
#include "source/solvers/two_pass_operator.h"

#include <string>
#include <vector>

namespace strut::test
{
namespace
{
/// Parameters of elements, `[n_elements]` each.
struct LameOfElements
{
  std::vector<double> lambda, mu;
};

/// Parameters of any ratio: elements that widen when they are pulled, some without lambda, without
/// mu, and without either.
LameOfElements random_lame(const std::size_t n, const unsigned int seed)
{
  LameOfElements lame{random_vector(n, seed, 0.1, 50.), random_vector(n, seed + 1, 0.1, 2.)};
  for (std::size_t e = 0; e < n; ++e)
    {
      if (e % 7 == 1)
        lame.lambda[e] = -0.6 * lame.mu[e];
      if (e % 11 == 3 || e % 11 == 5)
        lame.lambda[e] = 0.;
      if (e % 11 == 4 || e % 11 == 5)
        lame.mu[e] = 0.;
      if (e % 128 >= 32 && e % 128 < 100) // whole patches without stiffness
        lame.lambda[e] = lame.mu[e] = 0.;
    }
  return lame;
}

/// The sum of two textbook matrices, whose materials together have any Lame parameters.
ReferenceStiffness reference_with(const LameOfElements &lame,
                                  const ElementMesh &mesh,
                                  const VolumetricIntegration integration)
{
  const Material one{1., 0.3, integration}, other{1., 0., integration};
  std::vector<ElementMatrix> matrices;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8];
      vertices(mesh, e, X);
      ElementMatrix K            = reference_element_matrix(X, one);
      const ElementMatrix second = reference_element_matrix(X, other);
      const double a             = lame.lambda[e] / lambda_of(one);
      const double b             = 2. * (lame.mu[e] - a * hooke(one)[3][3]);
      for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j)
          K[i][j] = a * K[i][j] + b * second[i][j];
      matrices.push_back(K);
    }
  return {mesh, matrices};
}

/// Tests every strategy.
class LameOperatorTest : public ElementOperatorTest
{
protected:
  bool knows(const VolumetricIntegration integration) const
  {
    return integration == VolumetricIntegration::full ||
           GetParam().strategy.substr(0, 9) != "assembled";
  }

  template <typename Number>
  void expect_reference(const ElementMesh &mesh,
                        const VolumetricIntegration integration,
                        const unsigned int seed)
  {
    Memory &memory       = backend().memory();
    const double epsilon = 4. * rounding<Number>(); // lambda is up to 500 mu
    const auto &strategy = find_strategy<Number>(backend(), GetParam().strategy);
    EXPECT_EQ(strategy.takes(Law::lame), is_on_the_fly());
    const auto operator_of_lame =
      make_lame_operator(backend(), mesh, strategy, Material{1., 0.3, integration});
    ElementOperator<Number> &K = *operator_of_lame;
    Array<Number> x(memory, random_vector<Number>(mesh.n_dofs(), seed)), y(memory, mesh.n_dofs()),
      blocks(memory, 2 * mesh.n_dofs());
    Array<double> c(memory, mesh.n_elements);
    for (const unsigned int time : {0u, 1u}) // other ones replace them
      {
        const LameOfElements lame = random_lame(mesh.n_elements, seed + 10 * time);
        const Array<double> lambda(memory, lame.lambda), mu(memory, lame.mu);
        const ReferenceStiffness reference = reference_with(lame, mesh, integration);
        K.set(mesh, Stiffness::of_lame(lambda, mu));
        y.copy_from_host(poison<Number>(y.size()));
        K.apply(x, y);
        const std::vector<double> expected = reference.apply(x.to_host());
        EXPECT_LE(relative_difference(y.to_host(), expected), epsilon);
        EXPECT_EQ(K.takes_float(), strategy.takes_float);
        if (K.takes_float())
          expect_product_of_float(K, memory, mesh, strategy.deterministic);
        if (K.can_subtract())
          {
            K.subtract(x, y);
            EXPECT_LE(norm(y.to_host()), epsilon * norm(expected));
          }
        else
          EXPECT_NE(GetParam().strategy, "on_the_fly");
        K.diagonal(y);
        EXPECT_LE(relative_difference(y.to_host(), reference.diagonal()), epsilon);
        if (strategy.takes(Law::lame))
          {
            K.diagonal_blocks(blocks);
            EXPECT_LE(relative_difference(blocks.to_host(), reference.diagonal_blocks()), epsilon);
          }

        const LameOfElements other = random_lame(mesh.n_elements, seed + 5);
        const Array<double> other_lambda(memory, other.lambda), other_mu(memory, other.mu);
        K.energies_of(Stiffness::of_lame(other_lambda, other_mu), x, c);
        EXPECT_LE(relative_difference(
                    c.to_host(), reference_with(other, mesh, integration).energies(x.to_host())),
                  10. * epsilon);
      }
  }
};

constexpr VolumetricIntegration both_integrations[] = {VolumetricIntegration::full,
                                                       VolumetricIntegration::mean};

TEST_P(LameOperatorTest, EqualsTheAssembledMatrix)
{
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const auto integration : both_integrations)
      for (const std::array<std::size_t, 3> &n :
           std::vector<std::array<std::size_t, 3>>{{1, 1, 1}, {31, 1, 1}, {1, 2, 129}, {4, 5, 3}})
        if (knows(integration))
          {
            const BoxMesh box = make_box(BoxOptions::wild(n, 3));
            expect_reference<Number>(box.mesh, integration, 4);
          }
  });
}

// Strategies may have separate code for copies of a box.
TEST_P(LameOperatorTest, EqualsTheAssembledMatrixWhereAllElementsAreOneBox)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::regular({{5, 4, 6}}, {{3., 5., 1.3}}).shuffled());
    for (const auto integration : both_integrations)
      if (knows(integration))
        expect_reference<Number>(box.mesh, integration, 6);
  });
}

TEST_P(LameOperatorTest, EqualsTheAssembledMatrixWhereElementsAreSimilar)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one size only";
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    AdaptedBox box(5, [](const double x, const double y, double) { return x < 2. || y > 3.; });
    for (const auto integration : both_integrations)
      if (knows(integration))
        expect_reference<Number>(box.mesh, integration, 8);
  });
}

// x . K y = y . K x, and K r = 0 for rigid motions r.
TEST_P(LameOperatorTest, IsSymmetricWithoutForcesOfRigidMotions)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{5, 4, 6}}, 3));
    Memory &memory    = backend().memory();
    for (const auto integration : both_integrations)
      {
        if (!knows(integration))
          continue;
        const auto operator_of_lame =
          make_lame_operator(backend(),
                             box.mesh,
                             find_strategy<Number>(backend(), GetParam().strategy),
                             Material{1., 0.3, integration});
        ElementOperator<Number> &K = *operator_of_lame;
        const LameOfElements lame  = random_lame(box.mesh.n_elements, 2);
        const Array<double> lambda(memory, lame.lambda), mu(memory, lame.mu);
        K.set(box.mesh, Stiffness::of_lame(lambda, mu));
        Array<Number> on_x(memory, box.mesh.n_dofs()), on_y(memory, box.mesh.n_dofs());
        const auto product = [&](const std::vector<Number> &x) {
          on_x.copy_from_host(x);
          K.apply(on_x, on_y);
          return on_y.to_host();
        };
        const auto x  = random_vector<Number>(box.mesh.n_dofs(), 11);
        const auto y  = random_vector<Number>(box.mesh.n_dofs(), 12);
        const auto Kx = product(x), Ky = product(y);
        EXPECT_NEAR(dot(x, Ky), dot(y, Kx), rounding<Number>() * norm(x) * norm(Ky));
        K.diagonal(on_y);
        const double size = max_norm(on_y.to_host());
        for (const auto &motion : rigid_motions<Number>(box))
          EXPECT_LE(norm(product(motion)), rounding<Number>() * size * norm(motion));
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Core, LameOperatorTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
