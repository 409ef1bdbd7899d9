// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// K + shift M, compared with the matrices that an application assembles.
#include "tests/plugin/cube.h"
#include "tests/plugin/stiffness_operator_fixture.h"

#include <deal.II/base/function.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_accessor.h>

#include <deal.II/fe/fe_values.h>

#include <deal.II/fe/mapping_q.h>

#include <deal.II/lac/full_matrix.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <cmath>
#include <string>
#include <tuple>
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

/// A rigid motion.
class Motion : public dealii::Function<3>
{
public:
  Motion() : dealii::Function<3>(3)
  {}
  double value(const dealii::Point<3> &x, const unsigned int component) const override
  {
    const double u[3] = {1. - 2. * x[1] + x[2],
                         -2. + 2. * x[0] - 3. * x[2],
                         0.5 - x[0] + 3. * x[1]};
    return u[component];
  }
};

/// Parameters: a mesh, a backend.
class StiffnessShiftProblem
  : public StiffnessOperatorTest,
    public testing::WithParamInterface<std::tuple<const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [mesh, backend] = GetParam();
    if (const std::string reason = why_not(backend); !reason.empty())
      GTEST_SKIP() << reason;
    application   = std::make_unique<SomeApplication>(mesh, "plain");
    data.material = application->material;
    data.options  = on(backend);
    data.density  = density;
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
    lumped.reinit(application->owned, application->communicator);
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
                  cell_matrix(i, data.mass == MassKind::lumped ? i : j) +=
                    of_cell(cell) * values.shape_value(i, q) * values.shape_value(j, q) *
                    values.JxW(q);
          for (unsigned int i = 0; i < 24; ++i)
            lumped(dofs[i]) += cell_matrix(i, i);
          application->constraints.distribute_local_to_global(cell_matrix, dofs, mass);
          none.distribute_local_to_global(cell_matrix, dofs, free_mass);
          cell_matrix *= shift;
          application->constraints.distribute_local_to_global(cell_matrix, dofs, shifted);
        }
    lumped.compress(dealii::VectorOperation::add);
    mass.compress(dealii::VectorOperation::add);
    free_mass.compress(dealii::VectorOperation::add);
    shifted.compress(dealii::VectorOperation::add);
  }

  std::unique_ptr<StiffnessOperator<double>> make_operator() const
  {
    auto K = std::make_unique<StiffnessOperator<double>>();
    K->reinit(application->dof_handler, application->constraints, data);
    K->set_factors([](const auto &cell) { return SomeApplication::factor(cell->center()); });
    return K;
  }

  /// Computes y = A x on free DoFs; on constrained ones y is x times `of_constrained`.
  TrilinosVector product(const dealii::TrilinosWrappers::SparseMatrix &A,
                         const TrilinosVector &x,
                         const double of_constrained) const
  {
    TrilinosVector free(x), result(x);
    for (const auto i : application->owned)
      if (application->constraints.is_constrained(i))
        free(i) = 0.;
    free.compress(dealii::VectorOperation::insert);
    A.vmult(result, free);
    for (const auto i : application->owned)
      if (application->constraints.is_constrained(i))
        result(i) = of_constrained * x(i);
    result.compress(dealii::VectorOperation::insert);
    return result;
  }

  std::unique_ptr<SomeApplication> application;
  StiffnessOperator<double>::AdditionalData data;
  bool by_place = false; ///< whether the density depends on the place
  /// Shift of such a size that both matrices contribute to the sum.
  double shift = 0.;
  dealii::TrilinosWrappers::SparseMatrix shifted, mass;
  dealii::TrilinosWrappers::SparseMatrix free_mass; ///< mass matrix without constraints
  TrilinosVector lumped;                            ///< lumped masses without constraints
};

TEST_P(StiffnessShiftProblem, MultipliesAsTheAssembledMatrices)
{
  assemble();
  const auto K           = make_operator();
  const TrilinosVector x = application->random_vector(2);
  TrilinosVector before, y;
  K->initialize_dof_vector(before);
  K->initialize_dof_vector(y);
  K->vmult(before, x);
  K->mass_vmult(y, x);
  EXPECT_LT(application->distance(y, product(mass, x, 0.)), 1e-13);
  K->set_shift(shift);
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, product(shifted, x, 1.)), 1e-13);

  K->set_shift(0.); // equal to the last bit
  K->vmult(y, x);
  const bool same_order = std::get<1>(GetParam()) == std::string("cpu"); // a GPU adds in any order
  EXPECT_LE(application->distance(y, before), same_order ? 0. : 1e-14);
}

TEST_P(StiffnessShiftProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  assemble();
  const auto K = make_operator();
  K->compute_diagonal();
  K->set_shift(shift);
  TrilinosVector expected = application->random_vector(1), diagonal(expected);
  for (const auto i : application->owned)
    {
      expected(i) = application->constraints.is_constrained(i) ? 1. : shifted.diag_element(i);
      diagonal(i) = K->el(i, i);
    }
  expected.compress(dealii::VectorOperation::insert);
  diagonal.compress(dealii::VectorOperation::insert);
  EXPECT_LT(application->distance(diagonal, expected), 1e-13);
}

// Products, shift and diagonal follow; a vector by cell is as good as a function.
TEST_P(StiffnessShiftProblem, TakesADensityByCell)
{
  by_place = true;
  assemble();
  const auto K           = make_operator();
  const TrilinosVector x = application->random_vector(2);
  TrilinosVector y, diagonal;
  K->initialize_dof_vector(y);
  K->initialize_dof_vector(diagonal);
  K->set_shift(shift);
  K->compute_diagonal();
  K->set_density([](const auto &cell) { return density_at(cell->center()); });
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, product(shifted, x, 1.)), 1e-13);
  K->mass_vmult(y, x);
  EXPECT_LT(application->distance(y, product(mass, x, 0.)), 1e-13);
  K->mass_vmult_unconstrained(y, x);
  TrilinosVector Mx(x);
  Mx.scale(lumped);
  EXPECT_LT(application->distance(y, Mx), 1e-13);
  for (const auto i : application->owned)
    {
      y(i)        = application->constraints.is_constrained(i) ? 1. : shifted.diag_element(i);
      diagonal(i) = K->el(i, i);
    }
  y.compress(dealii::VectorOperation::insert);
  diagonal.compress(dealii::VectorOperation::insert);
  EXPECT_LT(application->distance(diagonal, y), 1e-13);

  const auto &triangulation = *application->triangulation;
  dealii::Vector<double> by_cell(triangulation.n_active_cells());
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      by_cell(cell->active_cell_index()) = density_at(cell->center());
  K->set_density([](const auto &) { return 1.; });
  K->set_density(by_cell);
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, product(shifted, x, 1.)), 1e-13);

  // set before the shift, and the preconditioner that exists follows
  data.options.tolerance = 1e-12;
  const auto L           = make_operator();
  TrilinosVector u, v;
  L->initialize_dof_vector(u);
  L->initialize_dof_vector(v);
  L->set_shift(shift);
  L->solve(u, application->F);
  L->set_density(dealii::Vector<float>(by_cell));
  L->set_density(by_cell);
  u                        = 0.;
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
  data.mass = MassKind::consistent;
  by_place  = true;
  assemble();
  const auto make = [&]() {
    auto K = make_operator();
    K->set_density([](const auto &cell) { return density_at(cell->center()); });
    return K;
  };
  const auto K           = make();
  const TrilinosVector x = application->random_vector(2);
  TrilinosVector y, diagonal;
  K->initialize_dof_vector(y);
  K->initialize_dof_vector(diagonal);
  K->mass_vmult(y, x);
  EXPECT_LT(application->distance(y, product(mass, x, 0.)), 1e-13);
  K->mass_vmult_unconstrained(y, x);
  TrilinosVector Mx(x);
  free_mass.vmult(Mx, x);
  EXPECT_LT(application->distance(y, Mx), 1e-13);

  K->set_shift(shift);
  K->compute_diagonal();
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, product(shifted, x, 1.)), 1e-13);
  for (const auto i : application->owned)
    {
      y(i)        = application->constraints.is_constrained(i) ? 1. : shifted.diag_element(i);
      diagonal(i) = K->el(i, i);
    }
  y.compress(dealii::VectorOperation::insert);
  diagonal.compress(dealii::VectorOperation::insert);
  EXPECT_LT(application->distance(diagonal, y), 1e-13);
  K->set_shift(0.);
  K->vmult(y, x);
  EXPECT_LT(application->distance(y, product(application->A, x, 1.)), 1e-13);

  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      data.options.preconditioner = preconditioner;
      data.options.tolerance      = 1e-12;
      data.options.max_iterations = 10000;
      const auto L                = make();
      TrilinosVector u;
      L->initialize_dof_vector(u);
      const unsigned int without = L->solve(u, application->F).iterations;
      L->set_shift(shift);
      const SolveReport report = L->solve(u, application->F);
      EXPECT_TRUE(report.converged);
      EXPECT_LE(report.iterations, 4 * without) << report.preconditioner;
      RecordProperty(report.preconditioner,
                     std::to_string(without) + ", with mass " + std::to_string(report.iterations));

      TrilinosVector rhs(application->F), free(u);
      L->lift(rhs);
      for (const auto i : application->owned)
        if (application->constraints.is_constrained(i))
          free(i) = 0.;
      free.compress(dealii::VectorOperation::insert);
      EXPECT_LT(application->distance(product(shifted, free, 0.), rhs), 1e-9);
    }
}

// With prescribed displacements and both preconditioners, iterations are about as many as without
// the mass.
TEST_P(StiffnessShiftProblem, SolvesAsADirectSolver)
{
  assemble();
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      data.options.preconditioner = preconditioner;
      data.options.tolerance      = 1e-12;
      data.options.max_iterations = 10000;
      const auto K                = make_operator();
      TrilinosVector u;
      K->initialize_dof_vector(u);
      const unsigned int without = K->solve(u, application->F).iterations;
      K->set_shift(shift);
      const SolveReport report = K->solve(u, application->F);
      EXPECT_TRUE(report.converged);
      EXPECT_LE(report.iterations, without + 3) << report.preconditioner;

      // residual of the assembled system on free DoFs; lift() includes the prescribed values
      TrilinosVector rhs(application->F), free(u);
      K->lift(rhs);
      for (const auto i : application->owned)
        if (application->constraints.is_constrained(i))
          free(i) = 0.;
      free.compress(dealii::VectorOperation::insert);
      TrilinosVector Au = product(shifted, free, 0.);
      for (const auto i : application->owned)
        if (application->constraints.is_constrained(i))
          Au(i) = 0.;
      Au.compress(dealii::VectorOperation::insert);
      EXPECT_LT(application->distance(Au, rhs), 1e-10) << report.preconditioner;
    }
}

// A step of Newmark's method with moving supports. (K + a M) u does the work of M p in all motions
// that the constraints allow, for any values of p on constrained degrees of freedom.
TEST_P(StiffnessShiftProblem, TakesForcesOfInertiaAtMovingSupports)
{
  assemble();
  data.options.tolerance = 1e-13;
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
      Mp.scale(lumped);
      EXPECT_LT(application->distance(forces, Mp), 1e-13);

      forces *= shift;
      Mp *= shift;
      constrain(-2.);
      K->set_prescribed_values(application->constraints);
      EXPECT_TRUE(K->solve(u, forces).converged);
      TrilinosVector residual(u), Mu(u);
      application->K.vmult(residual, u);
      Mu.scale(lumped);
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
  [](const auto &info) {
    std::string name = std::string(std::get<0>(info.param)) + '_' + std::get<1>(info.param);
    for (char &c : name)
      if (c == ' ')
        c = '_';
    return name;
  });
} // namespace
} // namespace strut::test
