// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The bound of the smoother, element by element, compared with a dense eigenvalue solver.
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/largest_eigenvalue.h"
#include "source/element/lanczos.h"
#include "source/solvers/multigrid/polynomial_smoother.h"
#include "source/solvers/multigrid/smoother_bound.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace strut::test
{
namespace
{
/// Makes a box of these edges, whose vertices move by up to a part of them, and rotates it.
void make_element(const std::array<double, 3> &edges,
                  const double distortion,
                  const bool is_turned,
                  Random &random,
                  double (&X)[3][8])
{
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  if (is_turned)
    {
      turn.coeffs() << random(-1., 1.), random(-1., 1.), random(-1., 1.), random(-1., 1.);
      turn.normalize();
    }
  for (int v = 0; v < 8; ++v)
    {
      Eigen::Vector3d x;
      for (int d = 0; d < 3; ++d)
        x[d] = edges[static_cast<std::size_t>(d)] *
               ((v >> d & 1) + (distortion > 0. ? random(-distortion, distortion) : 0.));
      x = turn * x;
      for (int d = 0; d < 3; ++d)
        X[d][v] = x[d];
    }
}

/// A mesh of one element.
ElementMesh mesh_of(const double (&X)[3][8])
{
  ElementMesh mesh = make_box(BoxOptions::regular({{1, 1, 1}})).mesh;
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t d = 0; d < 3; ++d)
      mesh.coordinates[8 * d + mesh.connectivity[v]] = X[d][v];
  return mesh;
}

double bound_of(const double (&X)[3][8], const Material &material)
{
  return smoother_bound(mesh_of(X), material);
}

// No less than the largest eigenvalue, and at most 5 % more, of elements of all shapes.
TEST(SmootherBoundTest, BoundsEveryElement)
{
  Random random(1);
  const std::array<double, 3> shapes[] = {{{1., 1., 1.}},
                                          {{8., 3., 3.}},
                                          {{4., 1., 1.}},
                                          {{1., 1., 2.}},
                                          {{1., 9., 3.}},
                                          {{1., 1., 20.}}};
  for (const double nu : {0., 0.2, 0.3, 0.45})
    for (const auto &edges : shapes)
      for (const double distortion : {0., 0.02, 0.2})
        for (int sample = 0; sample < 20; ++sample)
          {
            double X[3][8];
            make_element(edges, distortion, sample > 0, random, X);
            Material material;
            material.youngs_modulus = sample % 2 == 0 ? 1. : 2.1e11;
            material.poisson_ratio  = nu;
            for (const Formulation formulation :
                 {Formulation::full_integration, Formulation::incompatible_modes})
              {
                material.formulation    = formulation;
                const double eigenvalue = largest_eigenvalue(reference_element_matrix(X, material));
                const double bound      = bound_of(X, material);
                EXPECT_GE(bound, eigenvalue) << nu << ' ' << edges[0] << ' ' << distortion;
                EXPECT_LE(bound, 1.05 * eigenvalue) << nu << ' ' << edges[0] << ' ' << distortion;
              }
          }
}

// The bound of two solids holds for all solids between them, and is no more than 5 % above that of
// one of the two.
TEST(SmootherBoundTest, OfSolidsBoundsThoseBetween)
{
  const auto backend = make_cpu_backend(1);
  Random random(3);
  for (int sample = 0; sample < 200; ++sample)
    {
      const double a = random(-0.9, 0.49), b = random(-0.9, 0.49);
      double X[3][8];
      make_element({{random(0.5, 4.), 1., random(0.5, 4.)}}, 0.15, true, random, X);
      const ElementMesh mesh   = mesh_of(X);
      const Solids of_elements = Solids::isotropic({}, {a, b});
      const auto solids =
        extreme_solids(Communicator(), {mesh, {}, Structure::no_coarser_meshes(), of_elements});
      ASSERT_TRUE(solids.has_value());
      const double bound  = smoother_bound(*backend, mesh, *solids);
      const auto of_ratio = [&](const double nu) {
        return largest_eigenvalue(reference_element_matrix(X, {1., nu}));
      };
      for (int k = 0; k < 5; ++k)
        EXPECT_GE(bound, of_ratio(random(std::min(a, b), std::max(a, b)))) << a << ' ' << b;
      const double of_ends = std::max(of_ratio(a), of_ratio(b));
      EXPECT_GE(bound, of_ends);
      EXPECT_LE(bound, 1.05 * of_ends);
      EXPECT_GE(smoother_bound(*backend, mesh, any_solids), of_ends);
    }
  const ElementMesh none;
  EXPECT_FALSE(extreme_solids(Communicator(), {none}).has_value());
}

// With the mean dilatation, the bound for the largest lambda / mu holds for all smaller ones,
// including negative lambda.
TEST(SmootherBoundTest, WithMeanDilatationBoundsSmallerRatios)
{
  const auto backend = make_cpu_backend(1);
  Random random(4);
  for (int sample = 0; sample < 100; ++sample)
    {
      double X[3][8];
      make_element({{random(0.5, 4.), 1., random(0.5, 4.)}}, 0.15, true, random, X);
      const ElementMesh mesh = mesh_of(X);
      const double largest   = std::exp(random(-1., 12.));
      const double bound     = smoother_bound(*backend, mesh, solids_with_mean(largest).first);
      EXPECT_LE(bound, 8.1);
      for (const double ratio : {-0.66, random(-0.66, 0.), random(0., largest), largest})
        {
          Material material    = Material::from_lame(ratio, 1.);
          material.formulation = Formulation::mean_dilatation;
          EXPECT_GE(bound, largest_eigenvalue(reference_element_matrix(X, material))) << ratio;
        }
    }
  EXPECT_EQ(solids_with_mean(0.).second, 1);
  EXPECT_EQ(solids_with_mean(2.1).second, 2);
  EXPECT_EQ(solids_with_mean(std::numeric_limits<double>::infinity()).second, 20);
  EXPECT_EQ(largest_lame_ratio(Communicator(), {-1., 0., 6., 0.}, {2., 0., 3., 1.}), 2.);
}

class SmootherBoundOnBackends : public PlaceTest
{};

// Every backend finds the host's bound: on distorted boxes, with an element that is worse than all
// others.
TEST_P(SmootherBoundOnBackends, IsThatOfTheHost)
{
  for (const auto &n : {std::array<std::size_t, 3>{{1, 1, 1}}, {{5, 3, 2}}, {{17, 9, 8}}})
    for (unsigned int seed = 1; seed < 4; ++seed)
      {
        BoxMesh box = make_box(BoxOptions::wild(n, seed));
        for (std::size_t d = 0; d < 3; ++d) // far from the origin
          for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
            box.mesh.coordinates[d * box.mesh.n_nodes + node] += 100. * static_cast<double>(d);
        Material material;
        material.youngs_modulus = 2.1e11;
        material.poisson_ratio  = 0.1 * seed;
        for (const Formulation formulation :
             {Formulation::full_integration, Formulation::incompatible_modes})
          {
            material.formulation  = formulation;
            const double expected = smoother_bound(box.mesh, material);
            EXPECT_NEAR(smoother_bound(backend(), box.mesh, material), expected, 2e-3 * expected);
          }
      }
  EXPECT_EQ(smoother_bound(backend(), ElementMesh(), Material()), 0.);
}

INSTANTIATE_TEST_SUITE_P(Core, SmootherBoundOnBackends, at_all_places(), place_name);

// The bound also holds for matrices with constrained components of nodes, as on Galerkin's levels.
TEST(SmootherBoundTest, BoundsElementsWithSupports)
{
  Random random(2);
  for (int sample = 0; sample < 200; ++sample)
    {
      double X[3][8], K[24][24];
      make_element({{2., 1., 1.}}, 0.15, true, random, X);
      const ElementMatrix matrix = reference_element_matrix(X, Material());
      const double part          = random(0., 0.5);
      bool is_held[24];
      for (bool &held : is_held)
        held = random(0., 1.) < part;
      for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j)
          K[i][j] = is_held[i] || is_held[j] ? 0. : matrix[i][j];
      const double eigenvalue = largest_eigenvalue(K);
      const double bound      = lanczos::margin * lanczos::largest_eigenvalue(K);
      EXPECT_GE(bound, eigenvalue);
      EXPECT_LE(bound, 1.05 * eigenvalue);
    }
}

// Where the vectors span all there is before the last step: one free component, and none.
TEST(SmootherBoundTest, EndsEarly)
{
  double K[24][24] = {};
  EXPECT_EQ(lanczos::largest_eigenvalue(K), 0.);
  K[7][7] = 3.;
  EXPECT_NEAR(lanczos::largest_eigenvalue(K), 1., 1e-3);
  for (int i = 0; i < 24; ++i)
    K[i][i] = 1. + i;
  EXPECT_NEAR(lanczos::largest_eigenvalue(K), 1., 1e-3);
}
// The error of one mode, by the recursion itself.
TEST(PolynomialSmootherTest, ReducesErrorsUpToTheToleratedExcess)
{
  const double bound          = 3.7;
  const auto error_afterwards = [&](const unsigned int n, const double eigenvalue) {
    const PolynomialSmoother smoother = PolynomialSmoother::chebyshev_fourth_kind(n, bound);
    double error = 1., d = 0.;
    for (unsigned int k = 0; k < n; ++k)
      {
        d = smoother.b[k] * d + smoother.a[k] * eigenvalue * error;
        error -= d;
      }
    return std::abs(error);
  };
  for (const unsigned int n : {1u, 2u, 3u, 4u, 7u, 10u, 12u, 30u})
    {
      const double limit = bound * PolynomialSmoother::tolerated_excess(n);
      EXPECT_NEAR(error_afterwards(n, limit), 1., 1e-9);
      EXPECT_LT(error_afterwards(n, 0.999 * limit), 1.);
      EXPECT_GT(error_afterwards(n, 1.001 * limit), 1.);
      // allowed excess of the eigenvalue over the one that was found
      const double room = margin_of_eigenvalue(n) * PolynomialSmoother::tolerated_excess(n);
      EXPECT_GE(room, 1.33);
      EXPECT_GE(margin_of_eigenvalue(n), 1.18);
    }
}

// The largest eigenvalue of M K is 1.9, in one body or the other, and all others are at most 1.
// One body is void, a billion times softer.
TEST(LargestLevelEigenvalue, IsFoundInSolidAndInVoid)
{
  const auto backend     = make_cpu_backend(1);
  const ElementMesh mesh = make_box({12, 6, 6}).mesh;
  const Communicator communicator(MPI_COMM_SELF);
  const std::size_t n = mesh.n_dofs();
  Random random(3);
  std::vector<double> k(n), eigenvalue(n);
  for (const bool in_void : {false, true})
    {
      for (std::size_t i = 0; i < n; ++i)
        {
          k[i]          = i < n / 2 ? 1. : 1e-9;
          eigenvalue[i] = random(0.2, 1.);
        }
      eigenvalue[in_void ? n - 5 : 5] = 1.9;
      const auto begin                = numbers_of_places<double>(*backend, communicator, mesh);
      Array<double> r(backend->memory(), n), z(backend->memory(), n), p(backend->memory(), n),
        q(backend->memory(), n);
      const double found = largest_level_eigenvalue<double>(
        *backend,
        communicator,
        mesh,
        8,
        1.05,
        [&](Array<double> &from, Array<double> &to) {
          for (std::size_t i = 0; i < n; ++i)
            to.data()[i] = eigenvalue[i] / k[i] * from.data()[i];
        },
        [&](Array<double> &from, Array<double> &to) {
          for (std::size_t i = 0; i < n; ++i)
            to.data()[i] = k[i] * from.data()[i];
        },
        begin,
        r,
        z,
        p,
        q);
      EXPECT_GE(found, 1.9) << in_void;
      EXPECT_LE(found, 2.05) << in_void;
    }
}
} // namespace
} // namespace strut::test
