// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/dense_reference.h"
#include "../fixtures/element_box.h"
#include "../fixtures/element_types.h"
#include "source/element/element_stiffness.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <type_traits>

namespace strut::test
{
namespace
{
template <typename Element>
class ElementStiffness : public ::testing::Test
{
protected:
  static constexpr int n = Element::n_nodes;
  // of any size: Eigen's functions are compiled once, not for each element
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Vector = Eigen::VectorXd;

  const double lambda = 1.7, mu = 0.9;

  /// A distorted mesh, with bent lines if elements have midpoints.
  static ElementBox<Element> distorted(const unsigned int seed, const double bend = 0.08)
  {
    ElementBoxOptions options;
    options.distortion = 0.15;
    options.bend       = bend;
    options.seed       = seed;
    return make_element_box<Element>(options);
  }

  template <typename Action>
  static void for_each_element(const ElementBox<Element> &box, const Action &action)
  {
    for (std::size_t e = 0; e < box.elements.size(); ++e)
      {
        double X[3][n];
        box.coordinates(e, X);
        action(X);
      }
  }

  Matrix matrix(const double (&X)[3][n]) const
  {
    Matrix K(3 * n, 3 * n);
    element_stiffness::matrix<Element>(X, lambda, mu, K.data());
    return K;
  }
};

TYPED_TEST_SUITE(ElementStiffness, AllElements, );

TYPED_TEST(ElementStiffness, IsSymmetricToTheLastBit)
{
  this->for_each_element(this->distorted(1), [&](const auto &X) {
    const auto K = this->matrix(X);
    EXPECT_EQ((K - K.transpose()).cwiseAbs().maxCoeff(), 0.);
  });
}

// Six eigenvalues are zero, with the rigid motions as their space, and the others are positive: no
// hourglass modes.
TYPED_TEST(ElementStiffness, RigidMotionsAndNothingElseAreFree)
{
  this->for_each_element(this->distorted(2), [&](const auto &X) {
    const auto K            = this->matrix(X);
    Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(3 * TypeParam::n_nodes, 6);
    for (int a = 0; a < TypeParam::n_nodes; ++a)
      for (int d = 0; d < 3; ++d)
        {
          motions(3 * a + d, d)               = 1.;
          motions(3 * a + (d + 1) % 3, 3 + d) = -X[(d + 2) % 3][a];
          motions(3 * a + (d + 2) % 3, 3 + d) = X[(d + 1) % 3][a];
        }
    const double size = K.cwiseAbs().maxCoeff();
    EXPECT_LT((K * motions).cwiseAbs().maxCoeff(), 1e-13 * size);

    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, Eigen::EigenvaluesOnly);
    EXPECT_LT(std::abs(solver.eigenvalues()[0]), 1e-12 * size);
    EXPECT_LT(std::abs(solver.eigenvalues()[5]), 1e-12 * size);
    EXPECT_GT(solver.eigenvalues()[6], 1e-3 * size);
  });
}

// Constant strain: u^T K u = V eps : C : eps, on cells whose volume the quadrature knows.
TYPED_TEST(ElementStiffness, EnergyOfAConstantStrainIsExact)
{
  Random random(3);
  this->for_each_element(this->distorted(3), [&](const auto &X) {
    double A[3][3], eps[3][3], trace = 0., square = 0.;
    for (auto &row : A)
      for (double &entry : row)
        entry = random(-1., 1.);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        {
          eps[i][j] = 0.5 * (A[i][j] + A[j][i]);
          square += eps[i][j] * eps[i][j];
          trace += i == j ? eps[i][j] : 0.;
        }
    typename TestFixture::Vector u(3 * TypeParam::n_nodes);
    for (int a = 0; a < TypeParam::n_nodes; ++a)
      for (int i = 0; i < 3; ++i)
        u[3 * a + i] = A[i][0] * X[0][a] + A[i][1] * X[1][a] + A[i][2] * X[2][a];
    const double expected = element_stiffness::volume<TypeParam>(X) *
                            (this->lambda * trace * trace + 2. * this->mu * square);
    EXPECT_NEAR(u.dot(this->matrix(X) * u), expected, 1e-13 * std::abs(expected));
  });
}

TYPED_TEST(ElementStiffness, SameInSinglePrecision)
{
  this->for_each_element(this->distorted(5), [&](const auto &X) {
    const auto K = this->matrix(X);
    float single[3][TypeParam::n_nodes];
    for (int d = 0; d < 3; ++d)
      for (int a = 0; a < TypeParam::n_nodes; ++a)
        single[d][a] = static_cast<float>(X[d][a]);
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> k(K.rows(), K.cols());
    element_stiffness::matrix<TypeParam>(single, float(this->lambda), float(this->mu), k.data());
    EXPECT_LT((K - k.template cast<double>()).cwiseAbs().maxCoeff(),
              1e-5 * K.cwiseAbs().maxCoeff());
  });
}

// Displacing inner vertices moves volume from one element to its neighbours. Lines are bent only if
// the quadrature is exact for them.
TYPED_TEST(ElementStiffness, VolumesFillTheBox)
{
  ElementBoxOptions options;
  options.n                = 3;
  options.distortion       = 0.15;
  options.bend             = std::is_same_v<TypeParam, Hex20> || std::is_same_v<TypeParam, Hex27> ||
                     std::is_same_v<TypeParam, Tet10Curved>
                               ? 0.08
                               : 0.;
  options.distort_boundary = false;
  double sum               = 0.;
  this->for_each_element(make_element_box<TypeParam>(options), [&](const auto &X) {
    const double volume = element_stiffness::volume<TypeParam>(X);
    EXPECT_GT(volume, 0.);
    sum += volume;
  });
  EXPECT_NEAR(sum, 1., 1e-14);
}

// The trilinear element of the other strategies.
TEST(ElementStiffness, Hex8EqualsTheTextbook)
{
  const Material material{7., 0.3};
  ElementBoxOptions options;
  options.distortion = 0.15;
  const auto box     = make_element_box<Hex8>(options);
  for (std::size_t e = 0; e < box.elements.size(); ++e)
    {
      double X[3][8], K[24 * 24];
      box.coordinates(e, X);
      element_stiffness::matrix<Hex8>(X, material.lambda(), material.mu(), K);
      const ElementMatrix expected = reference_element_matrix(X, material);
      for (int i = 0; i < 24; ++i)
        for (int j = 0; j < 24; ++j)
          EXPECT_NEAR(K[24 * i + j], expected[i][j], 1e-14 * 7.);
    }
}
} // namespace
} // namespace strut::test
