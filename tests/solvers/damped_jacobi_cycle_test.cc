// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The cycle of Martinez-Frutos and Herrero-Perez (2017): V(1,1), damped Jacobi by points,
// Galerkin's coarse operator.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/solve.h"
#include "source/solvers/multigrid/multigrid.h"

#include <strut/solvers/elasticity_operator.h>

#include <Eigen/Dense>

namespace strut::test
{
namespace
{
using DampedJacobiCycleTest = PlaceTest;

/// Trilinear interpolation from the nodes of one regular box to those of another, by their places.
Eigen::MatrixXd
box_interpolation(const ElementMesh &fine, const ElementMesh &coarse, const Position &h)
{
  Eigen::MatrixXd P =
    Eigen::MatrixXd::Zero(static_cast<long>(fine.n_dofs()), static_cast<long>(coarse.n_dofs()));
  for (std::size_t n = 0; n < fine.n_nodes; ++n)
    for (std::size_t c = 0; c < coarse.n_nodes; ++c)
      {
        double weight = 1.;
        for (std::size_t d = 0; d < 3; ++d)
          weight *= std::max(0.,
                             1. - std::abs(fine.coordinates[d * fine.n_nodes + n] -
                                           coarse.coordinates[d * coarse.n_nodes + c]) /
                                    h[d]);
        for (std::size_t i = 0; i < 3; ++i)
          P(static_cast<long>(3 * n + i), static_cast<long>(3 * c + i)) = weight;
      }
  return P;
}

// x = w D^-1 r;  x += P (P^T K P)^-1 P^T (r - K x);  x += w D^-1 (r - K x), by dense matrices.
TEST_P(DampedJacobiCycleTest, EqualsItsFormula)
{
  const CantileverHierarchy c({{4, 2, 2}}, 1, /*distortion*/ 0.);
  const ElementMesh &mesh = c.box.mesh, &coarse = c.coarser[0].mesh;
  const long n = static_cast<long>(mesh.n_dofs());
  const Array<double> factors(memory(), c.frame(1e-2));
  ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
  K.set(factors);

  // constrained DoFs: no rows, no columns
  std::vector<double> is_free(mesh.n_dofs(), 1.), is_free_coarse(coarse.n_dofs(), 1.);
  for (const LocalIndex dof : mesh.constrained_dofs)
    is_free[dof] = 0.;
  for (const LocalIndex dof : coarse.constrained_dofs)
    is_free_coarse[dof] = 0.;
  Eigen::MatrixXd A(n, n);
  for (long j = 0; j < n; ++j)
    {
      std::vector<double> unit(mesh.n_dofs(), 0.);
      unit[static_cast<std::size_t>(j)] = is_free[static_cast<std::size_t>(j)];
      Array<double> x(memory(), unit), y(memory(), mesh.n_dofs());
      K.apply(x, y);
      const std::vector<double> column = y.to_host();
      for (long i = 0; i < n; ++i)
        A(i, j) = is_free[static_cast<std::size_t>(i)] * column[static_cast<std::size_t>(i)];
    }
  Eigen::MatrixXd P = box_interpolation(mesh, coarse, {{1., 1., 1.}});
  for (long i = 0; i < P.rows(); ++i)
    P.row(i) *= is_free[static_cast<std::size_t>(i)];
  for (long j = 0; j < P.cols(); ++j)
    P.col(j) *= is_free_coarse[static_cast<std::size_t>(j)];
  Eigen::MatrixXd Ac = P.transpose() * A * P;
  for (long j = 0; j < P.cols(); ++j)
    if (is_free_coarse[static_cast<std::size_t>(j)] == 0.)
      Ac(j, j) = 1.;
  const auto jacobi = [&](const Eigen::VectorXd &r, const double damping) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    for (long i = 0; i < n; ++i)
      if (A(i, i) > 0.)
        x[i] = damping * r[i] / A(i, i);
    return x;
  };

  for (const double damping : {0.4, 0.6})
    {
      MultigridSettings settings;
      settings.direct_dofs      = 0;
      settings.smoother         = Smoother::damped_jacobi;
      settings.damping          = damping;
      settings.smoothing_steps  = 1;
      settings.coarse_operators = CoarseOperators::galerkin;
      Multigrid<double> multigrid(backend(),
                                  Communicator(),
                                  {mesh, Material(), c.coarser},
                                  settings);
      multigrid.set(factors);
      Eigen::VectorXd r(n);
      const auto random = random_vector<double>(mesh.n_dofs(), 4);
      for (long i = 0; i < n; ++i)
        r[i] = is_free[static_cast<std::size_t>(i)] * random[static_cast<std::size_t>(i)];
      const auto found = correction_of(multigrid, std::vector<double>(r.data(), r.data() + n));

      Eigen::VectorXd x = jacobi(r, damping);
      x += P * Ac.ldlt().solve(P.transpose() * (r - A * x));
      x += jacobi(r - A * x, damping);
      EXPECT_LT(relative_difference(found, std::vector<double>(x.data(), x.data() + n)), 1e-12)
        << damping;
    }
}

INSTANTIATE_TEST_SUITE_P(Core, DampedJacobiCycleTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
