// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// K + shift M, compared with the matrices that an application assembles.
#include "tests/plugin/cube.h"

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_accessor.h>

#include <deal.II/fe/fe_values.h>

#include <deal.II/lac/full_matrix.h>

#include <cmath>
#include <string>
#include <vector>

namespace strut::test
{
namespace
{
constexpr double density = 7.8;

double density_at(const dealii::Point<3> &x)
{
  return density * std::exp(1.5 * std::sin(5. * x[0] - 7. * x[1] + 3. * x[2]));
}

class StiffnessShiftProblem : public StiffnessMeshProblem
{
protected:
  void prepare() override
  {
    const double per_edge =
      std::cbrt(static_cast<double>(application->triangulation->n_global_active_cells()));
    shift = application->material.youngs_modulus * per_edge * per_edge / density;
  }

  /// Assembles K, and the mass matrix times `shift`, with the application's constraints.
  void assemble()
  {
    application->assemble(true);
    const dealii::QGauss<3> quadrature(2);
    dealii::FEValues<3> values(application->fe,
                               quadrature,
                               dealii::update_values | dealii::update_JxW_values);
    std::vector<dealii::types::global_dof_index> dofs(24);
    dealii::FullMatrix<double> cell_matrix(24, 24);
    const auto of_cell = [&](const auto &cell) {
      return by_place ? density_at(cell->center()) : density;
    };
    shifted.copy_from(application->A);
    mass.reinit(application->A);
    free_mass.reinit(application->K);
    const dealii::AffineConstraints<double> none;
    for (const auto &cell : application->dof_handler.active_cell_iterators())
      if (cell->is_locally_owned())
        {
          values.reinit(cell);
          cell->get_dof_indices(dofs);
          cell_matrix = 0.;
          for (unsigned int i = 0; i < 24; ++i)
            for (unsigned int j = 0; j < 24; ++j)
              for (unsigned int q = 0; q < quadrature.size(); ++q)
                if (application->fe.system_to_component_index(i).first ==
                    application->fe.system_to_component_index(j).first)
                  cell_matrix(i, mass_kind == MassKind::lumped ? i : j) +=
                    of_cell(cell) * values.shape_value(i, q) * values.shape_value(j, q) *
                    values.JxW(q);
          application->constraints.distribute_local_to_global(cell_matrix, dofs, mass);
          none.distribute_local_to_global(cell_matrix, dofs, free_mass);
          cell_matrix *= shift;
          application->constraints.distribute_local_to_global(cell_matrix, dofs, shifted);
        }
    mass.compress(dealii::VectorOperation::add);
    free_mass.compress(dealii::VectorOperation::add);
    shifted.compress(dealii::VectorOperation::add);
  }

  std::unique_ptr<StiffnessOperator<double>> make_operator() const
  {
    auto K = std::make_unique<StiffnessOperator<double>>();
    K->reinit(application->dof_handler,
              application->constraints,
              {application->material, options, 1, density, mass_kind});
    SomeApplication::set_factors(*K);
    return K;
  }

  static void set_density_by_place(StiffnessOperator<double> &K)
  {
    K.set_density([](const auto &cell) { return density_at(cell->center()); });
  }

  /// Expects the product with K + shift M as assembled.
  void expect_shifted_product(const StiffnessOperator<double> &K) const
  {
    const TrilinosVector x = application->random_vector(2);
    EXPECT_LT(application->distance(product(K, x), application->product(shifted, x, 1.)), 1e-13);
  }

  void expect_mass_product(const StiffnessOperator<double> &K) const
  {
    const TrilinosVector x = application->random_vector(2);
    TrilinosVector y(x);
    K.mass_vmult(y, x);
    EXPECT_LT(application->distance(y, application->product(mass, x, 0.)), 1e-13);
  }

  /// Expects the product with the mass matrix that knows no constraints.
  void expect_free_mass_product(const StiffnessOperator<double> &K) const
  {
    const TrilinosVector x = application->random_vector(2);
    TrilinosVector y(x), Mx(x);
    K.mass_vmult_unconstrained(y, x);
    free_mass.vmult(Mx, x);
    EXPECT_LT(application->distance(y, Mx), 1e-13);
  }

  /// Iterations of a solve without the mass, and with it. Expects a small residual of the assembled
  /// system on free DoFs; lift() includes the prescribed values.
  std::pair<unsigned int, SolveReport> solve_shifted(StiffnessOperator<double> &K,
                                                     const double tolerance) const
  {
    TrilinosVector u;
    K.initialize_dof_vector(u);
    const unsigned int without = K.solve(u, application->F).iterations;
    K.set_shift(shift);
    const SolveReport report = K.solve(u, application->F);
    EXPECT_TRUE(report.converged);
    EXPECT_LT(application->distance(application->product(shifted, u, 0.), lifted_forces(K)),
              tolerance)
      << report.preconditioner;
    return {without, report};
  }

  MassKind mass_kind = MassKind::lumped;
  bool by_place      = false; ///< whether the density depends on the place
  /// Shift of such a size that both matrices contribute to the sum.
  double shift = 0.;
  dealii::TrilinosWrappers::SparseMatrix shifted, mass;
  dealii::TrilinosWrappers::SparseMatrix free_mass; ///< mass matrix without constraints
};

TEST_P(StiffnessShiftProblem, MultipliesAsTheAssembledMatrices)
{
  assemble();
  const auto K                = make_operator();
  const TrilinosVector x      = application->random_vector(2);
  const TrilinosVector before = product(*K, x);
  expect_mass_product(*K);
  K->set_shift(shift);
  expect_shifted_product(*K);

  K->set_shift(0.);
  EXPECT_LE(application->distance(product(*K, x), before), rounding_of_sums());
}

TEST_P(StiffnessShiftProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  assemble();
  const auto K = make_operator();
  K->compute_diagonal();
  K->set_shift(shift);
  expect_diagonal(*K, 1e-13, &shifted);
}

// Products, shift and diagonal follow; a vector by cell is as good as a function.
TEST_P(StiffnessShiftProblem, TakesADensityByCell)
{
  by_place = true;
  assemble();
  const auto K = make_operator();
  K->set_shift(shift);
  K->compute_diagonal();
  set_density_by_place(*K);
  expect_shifted_product(*K);
  expect_mass_product(*K);
  expect_free_mass_product(*K);
  expect_diagonal(*K, 1e-13, &shifted);

  const auto &triangulation = *application->triangulation;
  dealii::Vector<double> by_cell(triangulation.n_active_cells());
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      by_cell(cell->active_cell_index()) = density_at(cell->center());
  K->set_density([](const auto &) { return 1.; });
  K->set_density(by_cell);
  expect_shifted_product(*K);

  // set before the shift, and the preconditioner that exists follows
  options.tolerance = 1e-12;
  const auto L      = make_operator();
  TrilinosVector u, v;
  L->initialize_dof_vector(u);
  L->initialize_dof_vector(v);
  L->set_shift(shift);
  L->solve(u, application->F);
  L->set_density(dealii::Vector<float>(by_cell));
  L->set_density(by_cell);
  const SolveReport report = L->solve(u, application->F);
  EXPECT_TRUE(report.converged);
  const auto fresh = make_operator();
  fresh->set_density(by_cell);
  fresh->set_shift(shift);
  EXPECT_EQ(fresh->solve(v, application->F).iterations, report.iterations);
  EXPECT_LT(application->distance(u, v), 1e-11);
}

TEST(StiffnessShift, RefusesWhatIsNoDensity)
{
  Cube cube;
  EXPECT_EQ(
    cube.complaint([](auto &K) {
      K.set_density([](const auto &cell) { return cell->active_cell_index() == 3 ? 0. : 1.; });
    }),
    "Of the densities, 1 are not positive and finite, such as 0 of the cell with active_cell_index() 3.\n  Give "
    "mass per volume; empty cells a small one.");
  EXPECT_EQ(
    cube.complaint([](auto &K) { K.set_density(dealii::Vector<double>(3)); }),
    "There are 3 densities, and 8 active cells.\n  Give one for each, by cell->active_cell_index().");
}

// Products, diagonal and solves with the consistent mass matrix, for which multigrid uses the
// lumped one.
TEST_P(StiffnessShiftProblem, TakesTheConsistentMass)
{
  mass_kind = MassKind::consistent;
  by_place  = true;
  assemble();
  const auto K = make_operator();
  set_density_by_place(*K);
  expect_mass_product(*K);
  expect_free_mass_product(*K);
  K->set_shift(shift);
  K->compute_diagonal();
  expect_shifted_product(*K);
  expect_diagonal(*K, 1e-13, &shifted);
  K->set_shift(0.);
  expect_product(*K, 1e-13);

  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      options.preconditioner = preconditioner;
      options.tolerance      = 1e-12;
      options.max_iterations = 10000;
      const auto L           = make_operator();
      set_density_by_place(*L);
      const auto [without, report] = solve_shifted(*L, 1e-9);
      EXPECT_LE(report.iterations, 4 * without) << report.preconditioner;
      RecordProperty(report.preconditioner,
                     std::to_string(without) + ", with mass " + std::to_string(report.iterations));
    }
}

// With prescribed displacements and both preconditioners, iterations are about as many as without
// the mass.
TEST_P(StiffnessShiftProblem, SolvesAsADirectSolver)
{
  assemble();
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      options.preconditioner       = preconditioner;
      options.tolerance            = 1e-12;
      options.max_iterations       = 10000;
      const auto [without, report] = solve_shifted(*make_operator(), 1e-10);
      EXPECT_LE(report.iterations, without + 3) << report.preconditioner;
    }
}

// A step of Newmark's method with moving supports. (K + a M) u does the work of M p in all motions
// that the constraints allow, for any values of p on constrained degrees of freedom.
TEST_P(StiffnessShiftProblem, TakesForcesOfInertiaAtMovingSupports)
{
  assemble();
  options.tolerance = 1e-13;
  for (const bool to_others : {false, true}) // such as periodicity with a jump
    {
      const auto constrain = [&](const double scale) {
        application->constrain(scale);
        if (to_others)
          application->constrain_to_others();
      };
      constrain(1.);
      const auto K = make_operator();
      K->set_shift(shift);
      const TrilinosVector predictor = application->random_vector(6);
      TrilinosVector forces(predictor), u(predictor), Mp(predictor);
      K->mass_vmult_unconstrained(forces, predictor);
      free_mass.vmult(Mp, predictor);
      EXPECT_LT(application->distance(forces, Mp), 1e-13);

      forces *= shift;
      Mp *= shift;
      constrain(-2.);
      K->set_prescribed_values(application->constraints);
      EXPECT_TRUE(K->solve(u, forces).converged);
      TrilinosVector residual(u), Mu(u);
      application->K.vmult(residual, u);
      free_mass.vmult(Mu, u);
      residual.add(shift, Mu, -1., Mp);
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
  StiffnessShiftProblem,
  testing::Combine(testing::Values("distorted", "shell", "few", "adapted ball"),
                   testing::Values("cpu", "cuda")),
  name_of_parameters);
} // namespace
} // namespace strut::test
