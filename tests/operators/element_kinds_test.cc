// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Properties of the mean dilatation and of incompatible modes, except the product, which
// element_operator_test.cc tests.
#include "applied.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace strut::test
{
namespace
{
/// Tests every strategy, with the mean dilatation of a nearly incompressible material, or with
/// incompatible modes.
class ElementKindsTest : public ElementOperatorTest
{
protected:
  void SetUp() override
  {
    ElementOperatorTest::SetUp();
    if (GetParam().strategy.substr(0, 9) == "assembled")
      GTEST_SKIP() << "it knows trilinear elements alone";
  }

  static constexpr std::array<Material, 2> materials = {
    {{1., 0.49, Formulation::mean_dilatation}, with_modes(1., 0.3)}};
};

// x . K y = y . K x, and x . K x > 0 for what is no rigid motion.
TEST_P(ElementKindsTest, IsSymmetricAndPositive)
{
  for (const Material &material : materials)
    with_number([&](const auto tag) {
      using Number      = decltype(number_of(tag));
      const BoxMesh box = this->make_box(BoxOptions::wild({{5, 4, 6}}, 3));
      auto K = this->template make<Number>(box.mesh, material, random_factors(box.mesh, 7));
      expect_symmetric(K, box);
    });
}

// K r = 0 for three translations and three rotations.
TEST_P(ElementKindsTest, RigidMotionsAreInTheNullSpace)
{
  for (const Material &material : materials)
    with_number([&](const auto tag) {
      using Number      = decltype(number_of(tag));
      const BoxMesh box = this->make_box(BoxOptions::wild({{4, 5, 6}}, 3));
      auto K = this->template make<Number>(box.mesh, material, random_factors(box.mesh, 2));
      expect_no_forces_of_rigid_motions(K, box);
    });
}

// A linear displacement of distorted elements has the forces of full integration, as its change of
// volume is uniform: none on inner nodes.
TEST_P(ElementKindsTest, PassesThePatchTest)
{
  for (const Material &material : materials)
    with_number([&](const auto tag) {
      using Number      = decltype(number_of(tag));
      const BoxMesh box = this->make_box(BoxOptions::wild({{4, 5, 3}}, 3));
      const auto u      = linear_displacement<Number>(box);
      auto K            = this->template make<Number>(box.mesh, material);
      const auto f      = K.apply(u);
      const double size = max_norm(K.diagonal()) * max_norm(u);
      const std::vector<double> ones(box.mesh.n_elements, 1.);
      const Material full{material.youngs_modulus, material.poisson_ratio};
      const auto expected = ReferenceStiffness(box.mesh, full, ones).apply(u);
      EXPECT_GT(max_norm(expected), 0.01 * size);
      for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
        {
          bool inner = true;
          for (std::size_t d = 0; d < 3; ++d)
            inner = inner && box.reference[node][d] > 1e-6 &&
                    box.reference[node][d] < box.options.size[d] - 1e-6;
          for (std::size_t i = 3 * node; i < 3 * node + 3; ++i)
            {
              EXPECT_NEAR(f[i], expected[i], rounding<Number>() * size);
              EXPECT_LE(std::abs(static_cast<double>(f[i])),
                        inner ? rounding<Number>() * size : size);
            }
        }
    });
}

/// Energies `u_e . K_e u_e` of one element, summed over its Gauss points. With m the mean of div u:
/// `lambda m^2 + 2 mu e : e`, and, of the B-bar method (Hughes 1980),
/// `lambda tr(E)^2 + 2 mu E : E` with `E = e + (m - div u) / 3 I`.
struct WrittenOut
{
  double mean = 0, b_bar = 0;
};

template <typename Number>
WrittenOut
write_out(const ElementMesh &mesh, const std::size_t e, const std::vector<Number> &u, double nu)
{
  const Material of_unit_size{1., nu};
  const double lambda = of_unit_size.lambda(), mu = of_unit_size.mu();
  double X[3][8], strains[8][6] = {}, weights[8], V = 0., change_of_volume = 0.;
  vertices(mesh, e, X);
  for (int q = 0; q < 8; ++q)
    {
      const auto [B, det] = reference_strain(X, q);
      weights[q]          = det;
      for (std::size_t i = 0; i < 24; ++i)
        for (int k = 0; k < 6; ++k)
          strains[q][k] +=
            B[k][i] *
            static_cast<double>(u[3 * mesh.connectivity[i / 3 * mesh.n_elements + e] + i % 3]);
      V += det;
      change_of_volume += (strains[q][0] + strains[q][1] + strains[q][2]) * det;
    }
  const double mean_div = change_of_volume / V;
  // shear strains are gamma = 2 e, and e : e has each twice
  const auto square = [](const double(&e)[6]) {
    return e[0] * e[0] + e[1] * e[1] + e[2] * e[2] +
           0.5 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
  };
  WrittenOut energy;
  for (int q = 0; q < 8; ++q)
    {
      auto &strain = strains[q];
      energy.mean += (lambda * mean_div * mean_div + 2. * mu * square(strain)) * weights[q];
      const double difference = (mean_div - (strain[0] + strain[1] + strain[2])) / 3.;
      for (int i = 0; i < 3; ++i)
        strain[i] += difference;
      energy.b_bar += (lambda * mean_div * mean_div + 2. * mu * square(strain)) * weights[q];
    }
  return energy;
}

// The energy follows the formula of doc/theory.md, element by element. The B-bar method has less
// energy, because its term of mu loses the deviation of div u from the mean. The loss is some per
// cent at nu = 0.3, and less than 0.1 % at 0.4999.
TEST_P(ElementKindsTest, EnergyIsThatOfTheFormulaAndNotThatOfBBar)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = this->make_box(BoxOptions::wild({{4, 3, 5}}, 4));
    const auto u      = random_vector<Number>(box.mesh.n_dofs(), 11);
    for (const double nu : {0., 0.3, 0.4999})
      {
        auto K = this->template make<Number>(box.mesh, {1., nu, Formulation::mean_dilatation});
        const auto energies = K.energies(u);
        std::vector<double> expected;
        double sum = 0., difference_of_b_bar = 0.;
        for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
          {
            const auto [mean, b_bar] = write_out(box.mesh, e, u, nu);
            EXPECT_LE(b_bar, (1. + rounding<double>()) * mean);
            expected.push_back(mean);
            sum += mean;
            difference_of_b_bar += mean - b_bar;
          }
        EXPECT_LE(relative_difference(energies, expected), rounding<Number>());
        EXPECT_NEAR(dot(u, K.apply(u)), sum, rounding<Number>() * sum);
        if (nu < 0.4)
          EXPECT_GT(difference_of_b_bar, 0.01 * sum);
        else
          EXPECT_LT(difference_of_b_bar, 1e-3 * sum);
        EXPECT_GT(difference_of_b_bar, 1e-6 * sum);
      }
  });
}

// The 3x3 blocks of the nodes are those of the assembled matrix.
TEST_P(ElementKindsTest, DiagonalBlocksAreThoseOfTheOperator)
{
  for (const Material &material : materials)
    with_number([&](const auto tag) {
      using Number      = decltype(number_of(tag));
      const BoxMesh box = this->make_box(BoxOptions::wild({{3, 2, 3}}, 3));
      const auto E      = random_factors(box.mesh, 6);
      auto K            = this->template make<Number>(box.mesh, material, E);
      const auto blocks = this->diagonal_blocks(K);
      if (blocks.empty())
        return;
      const auto expected = ReferenceStiffness(box.mesh, material, E).diagonal_blocks();
      EXPECT_LE(relative_difference(blocks, expected), rounding<Number>());
    });
}

INSTANTIATE_TEST_SUITE_P(Core, ElementKindsTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
