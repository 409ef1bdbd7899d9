// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The mass matrix of an operator, its densities and its shift, compared with what an application
// assembles.
#include <cmath>
#include <string>

#include "tests/plugin/stiffness_laws.h"

namespace strut::test
{
namespace
{
class StiffnessMassProblem : public StiffnessLawProblem
{
protected:
  void prepare() override
  {
    StiffnessLawProblem::prepare();
    application->assemble(true);
  }

  /// Expects the products with the mass matrices as assembled, with constraints and without.
  void expect_mass_products(const StiffnessOperator<double> &K) const
  {
    const TrilinosVector x = application->random_vector(2);
    TrilinosVector y(x), Mx(x);
    K.mass_vmult(y, x);
    EXPECT_LT(application->distance(y, application->product(application->B, x, 0.)), 1e-13);
    K.mass_vmult_unconstrained(y, x);
    application->M.vmult(Mx, x);
    EXPECT_LT(application->distance(y, Mx), 1e-13);
  }
};

TEST_P(StiffnessMassProblem, MultipliesAsTheAssembledMatrix)
{
  const auto K                = make_operator();
  const TrilinosVector x      = application->random_vector(2);
  const TrilinosVector before = multiply(*K, x);
  expect_mass_products(*K);
  K->set_shift(application->inertia.shift);
  application->expect_product(*K, 1e-13);

  K->set_shift(0.);
  EXPECT_LE(application->distance(multiply(*K, x), before), rounding_of_sums());
  application->inertia.shift = 0.;
  application->assemble(true);
  application->expect_product(*K, 1e-13);
}

// With prescribed displacements and both preconditioners, iterations are about as many as without
// the mass. For the consistent mass matrix multigrid uses the lumped one.
TEST_P(StiffnessMassProblem, TakesAboutAsManyIterationsAsWithoutMass)
{
  const bool is_lumped    = application->inertia.kind == MassKind::lumped;
  const unsigned int more = application->inertia.density_at ? 6 : 3;
  for (const LawCase::Solver &solver : law.solvers)
    {
      choose(solver);
      const auto K               = make_operator();
      const unsigned int without = application->solve(*K).iterations;
      K->set_shift(application->inertia.shift);
      const SolveReport report = application->expect_solution(*K, law.error);
      EXPECT_LE(report.iterations, is_lumped ? without + more : 4 * without)
        << report.preconditioner;
      RecordProperty(report.preconditioner,
                     std::to_string(without) + ", with mass " + std::to_string(report.iterations));
    }
}

// Products, diagonal and a preconditioner that exists follow; a vector by cell is as good as a
// function.
TEST_P(StiffnessMassProblem, TakesADensityByCell)
{
  const Inertia inertia = application->inertia;
  if (!inertia.density_at)
    GTEST_SKIP() << "one density";
  const auto &triangulation = *application->triangulation;
  dealii::Vector<double> by_cell(triangulation.n_active_cells());
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      by_cell(cell->active_cell_index()) = density_at(cell->center());
  application->inertia.density_at = nullptr;
  const auto K = make_operator(), fresh = make_operator();
  K->set_shift(inertia.shift);
  K->compute_diagonal();
  application->solve(*K);
  K->set_density([](const auto &cell) { return density_at(cell->center()); });
  application->expect_product(*K, 1e-13);
  expect_mass_products(*K);
  application->expect_diagonal(*K, 1e-13);

  K->set_density([](const auto &) { return 1.; });
  K->set_density(dealii::Vector<float>(by_cell));
  K->set_density(by_cell);
  application->expect_product(*K, 1e-13);
  fresh->set_density(by_cell); // before the shift
  fresh->set_shift(inertia.shift);
  EXPECT_EQ(application->expect_solution(*K, 1e-10).iterations,
            application->expect_solution(*fresh, 1e-10).iterations);
}

// A step of Newmark's method with moving supports. (K + a M) u does the work of M p in all motions
// that the constraints allow, for any values of p on constrained degrees of freedom.
TEST_P(StiffnessMassProblem, TakesForcesOfInertiaAtMovingSupports)
{
  options.tolerance = 1e-13;
  for (const bool to_others : {false, true}) // such as periodicity with a jump
    {
      const auto constrain = [&](const double scale) {
        application->constrain(scale);
        if (to_others)
          application->constrain_to_others();
      };
      constrain(1.);
      const double shift = application->inertia.shift;
      const auto K       = make_operator();
      K->set_shift(shift);
      const TrilinosVector predictor = application->random_vector(6);
      TrilinosVector forces(predictor), u(predictor), Mp(predictor);
      K->mass_vmult_unconstrained(forces, predictor);
      application->M.vmult(Mp, predictor);
      EXPECT_LT(application->distance(forces, Mp), 1e-13);

      forces *= shift;
      Mp *= shift;
      constrain(-2.);
      K->set_prescribed_values(application->constraints);
      EXPECT_TRUE(K->solve(u, forces).converged);
      TrilinosVector residual(u);
      application->K.vmult(residual, u); // with the mass
      residual.add(-1., Mp);
      TrilinosVector still(u);
      still = 0.;
      application->constraints.distribute(still);
      for (unsigned int seed = 10; seed < 13; ++seed)
        {
          TrilinosVector motion = application->random_vector(seed);
          application->constraints.distribute(motion);
          motion -= still;
          EXPECT_LT(std::abs(motion * residual), 1e-10 * motion.l2_norm() * Mp.l2_norm());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
  Problem,
  StiffnessMassProblem,
  testing::Combine(
    testing::Values("factors and mass", "factors and mass by place", "factors and consistent mass"),
    testing::Values("distorted", "shell", "few", "adapted ball"),
    testing::Values("plain"),
    testing::Values("cpu", "cuda")),
  name_of_parameters);
} // namespace
} // namespace strut::test
