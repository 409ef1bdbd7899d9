// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Solutions in deal.II's solvers and by solve(), compared with an application's direct solver.
#include "tests/plugin/stiffness_operator_fixture.h"

#include <deal.II/dofs/dof_accessor.h>

#include <deal.II/lac/linear_operator.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>

#include <strut/base/exceptions.h>

#include <tuple>

#include "tests/plugin/distributed_problem.h"

namespace strut::test
{
namespace
{
using DistributedVector = dealii::LinearAlgebra::distributed::Vector<double>;

class StiffnessSolveProblem : public StiffnessNumberingProblem
{
protected:
  void prepare() override
  {
    application->assemble(true);
    options.tolerance = 1e-12; // rounding allows 1e-13, more or less
  }

  void expect_exact_values(StiffnessOperator<double> &K, const std::string &preconditioner) const
  {
    const SolveReport report = application->expect_solution(K, 1e-10);
    EXPECT_LE(report.residual, options.tolerance);
    EXPECT_EQ(report.preconditioner, preconditioner);
    EXPECT_GT(report.iterations, 2u);
    EXPECT_EQ(report.remark, "");
  }
};

TEST_P(StiffnessSolveProblem, JacobiFindsTheDirectSolution)
{
  options.preconditioner = "jacobi";
  expect_exact_values(*make_operator(), "jacobi");
}

TEST_P(StiffnessSolveProblem, MultigridFindsTheDirectSolution)
{
  expect_exact_values(*make_operator(), "multigrid"); // under auto
}

TEST_P(StiffnessSolveProblem, ParametersOfThePreconditionerCount)
{
  options.preconditioner = "multigrid";
  const auto iterations  = [&](const double steps) {
    options.preconditioner_values = {{"Smoothing steps", steps}};
    return application->solve(*make_operator()).iterations;
  };
  EXPECT_LT(iterations(8.), iterations(1.));
}

TEST_P(StiffnessSolveProblem, MixedCyclesFindTheDirectSolution)
{
  options.precision = "mixed";
  expect_exact_values(*make_operator(), "multigrid");
}

TEST_P(StiffnessSolveProblem, FloatComesAsCloseAsItCan)
{
  if (!application->owns_ranges())
    GTEST_SKIP() << "no contiguous ranges: there are Trilinos vectors of double only";
  options.tolerance = 1e-5;
  const auto K      = make_operator<float>();
  dealii::LinearAlgebra::distributed::Vector<float> x, forces;
  K->initialize_dof_vector(x);
  K->initialize_dof_vector(forces);
  SomeApplication::copy(application->F, forces);
  K->solve(x, forces);
  EXPECT_LT(application->distance(x, application->solution()), 1e-3);
}

TEST_P(StiffnessSolveProblem, ManyRightHandSidesTakeOneUploadAndOneDownloadEach)
{
  const auto K = make_operator();
  K->reset_transfers();
  const std::size_t bytes = application->owned.n_elements() * sizeof(double);
  TrilinosVector x, forces(application->F);
  K->initialize_dof_vector(x);
  for (unsigned int n = 1; n <= 3; ++n)
    {
      K->solve(x, forces);
      EXPECT_EQ(K->transfers().uploads.count, n);
      EXPECT_EQ(K->transfers().downloads.count, n);
      EXPECT_EQ(K->transfers().uploads.bytes, n * bytes);
      EXPECT_EQ(K->transfers().downloads.bytes, n * bytes);
      EXPECT_LT(application->distance(x, application->solution()), 1e-10);
    }
  // A product, a lifting, factors, a diagonal.
  K->reset_transfers();
  EXPECT_EQ(K->transfers().uploads.count + K->transfers().downloads.count, 0u);
  K->vmult(forces, x);
  EXPECT_EQ(K->transfers().uploads.bytes, bytes);
  EXPECT_EQ(K->transfers().downloads.bytes, bytes);
  K->lift(forces);
  EXPECT_EQ(K->transfers().uploads.bytes, bytes);
  EXPECT_EQ(K->transfers().downloads.bytes, 2 * bytes);
  K->compute_diagonal();
  EXPECT_EQ(K->transfers().downloads.bytes, 3 * bytes);
  std::size_t n_cells = 0;
  K->set_factors([&](const auto &) {
    ++n_cells;
    return 2.;
  });
  EXPECT_EQ(K->transfers().uploads.bytes, bytes + n_cells * sizeof(double));
  EXPECT_EQ(K->transfers().downloads.bytes, 4 * bytes); // the diagonal followed
  EXPECT_EQ(K->transfers().uploads.count, 2u);
  EXPECT_EQ(K->transfers().downloads.count, 4u);
  EXPECT_GE(K->transfers().uploads.seconds, 0.);
  EXPECT_CONTAINS(K->transfers().describe(), "2 uploads, ");
  EXPECT_CONTAINS(K->transfers().describe(), "4 downloads, ");
}

TEST_P(StiffnessSolveProblem, FactorsAndPrescribedValuesMayChange)
{
  const auto K = make_operator();
  expect_exact_values(*K, "multigrid");
  application->constrain(-3.);
  application->assemble(true);
  K->set_prescribed_values(application->constraints);
  expect_exact_values(*K, "multigrid");
  application->assemble(false);
  K->set_factors([](const auto &) { return 1.; });
  expect_exact_values(*K, "multigrid");
  for (const double scale : {0., 0.5})
    {
      application->constrain(scale);
      application->assemble(false);
      K->set_prescribed_values(application->constraints);
      expect_exact_values(*K, "multigrid");
    }
}

TEST_P(StiffnessSolveProblem, BeginsWithTheInitialGuessIfAsked)
{
  options.initial_guess = true;
  options.tolerance     = 1e-10;
  const auto K          = make_operator();
  TrilinosVector x, forces(application->F);
  K->initialize_dof_vector(x);
  const unsigned int from_zero = K->solve(x, forces).iterations;
  K->reset_transfers();
  EXPECT_LE(K->solve(x, forces).iterations, 1u);
  EXPECT_GT(from_zero, 4u);
  EXPECT_EQ(K->transfers().uploads.count, 2u);
  EXPECT_LT(application->distance(x, application->solution()), 1e-7);
}

/// Solves with the operator in deal.II's own solver, as in the tutorials.
template <class Operator, class Preconditioner>
DistributedVector solve_with_cg(const StiffnessOperator<double> &K,
                                const Operator &A,
                                const Preconditioner &preconditioner,
                                const SomeApplication &application)
{
  DistributedVector x, rhs;
  K.initialize_dof_vector(x);
  K.initialize_dof_vector(rhs);
  SomeApplication::copy(application.F, rhs);
  K.lift(rhs);
  dealii::SolverControl control(1000, 1e-13 * rhs.l2_norm());
  dealii::SolverCG<DistributedVector> cg(control);
  cg.solve(A, x, rhs, preconditioner);
  application.constraints.distribute(x);
  return x;
}

TEST_P(StiffnessSolveProblem, DropsIntoSolverCGWithChebyshev)
{
  if (!application->owns_ranges())
    GTEST_SKIP() << "no contiguous ranges";
  const auto K = make_operator();
  K->compute_diagonal();
  using Chebyshev = dealii::PreconditionChebyshev<StiffnessOperator<double>, DistributedVector>;
  Chebyshev::AdditionalData data;
  data.preconditioner  = K->get_matrix_diagonal_inverse();
  data.degree          = 4;
  data.smoothing_range = 20.;
  Chebyshev chebyshev;
  chebyshev.initialize(*K, data);
  const auto x = solve_with_cg(*K, *K, chebyshev, *application);
  EXPECT_LT(application->distance(x, application->solution()), 1e-10);
}

TEST_P(StiffnessSolveProblem, DropsIntoLinearOperatorAndPreconditionJacobi)
{
  if (!application->owns_ranges())
    GTEST_SKIP() << "no contiguous ranges";
  const auto K = make_operator();
  K->compute_diagonal();
  dealii::PreconditionJacobi<StiffnessOperator<double>> jacobi;
  jacobi.initialize(*K);
  const auto A       = dealii::linear_operator<DistributedVector>(*K);
  const auto doubled = A + A;
  auto x             = solve_with_cg(*K, doubled, jacobi, *application);
  for (const auto i : application->owned)
    if (!application->constraints.is_constrained(i))
      x(i) *= 2.;
  EXPECT_LT(application->distance(x, application->solution()), 1e-10);
}

TEST_P(StiffnessSolveProblem, OneRankMayUsePlainVectors)
{
  if (dealii::Utilities::MPI::n_mpi_processes(application->communicator) > 1)
    GTEST_SKIP() << "several ranks";
  const auto K = make_operator();
  dealii::Vector<double> x, forces;
  K->initialize_dof_vector(x);
  K->initialize_dof_vector(forces);
  SomeApplication::copy(application->F, forces);
  K->solve(x, forces);
  EXPECT_LT(application->distance(x, application->solution()), 1e-10);

  // Chebyshev finds the diagonal by itself, with el()
  K->compute_diagonal();
  x = 0.;
  K->lift(forces);
  using Chebyshev =
    dealii::PreconditionChebyshev<StiffnessOperator<double>, dealii::Vector<double>>;
  Chebyshev chebyshev;
  chebyshev.initialize(*K, Chebyshev::AdditionalData(4, 20.));
  dealii::SolverControl control(1000, 1e-13 * forces.l2_norm());
  dealii::SolverCG<dealii::Vector<double>> cg(control);
  cg.solve(dealii::linear_operator<dealii::Vector<double>>(*K), x, forces, chebyshev);
  application->constraints.distribute(x);
  EXPECT_LT(application->distance(x, application->solution()), 1e-10);
}

TEST_P(StiffnessSolveProblem, SaysWhatItChose)
{
  const auto K = make_operator();
  EXPECT_CONTAINS(K->describe(), "not called yet; preconditioner: auto");
  const std::size_t before = K->memory_consumption();
  application->solve(*K);
  EXPECT_GT(K->memory_consumption(), before);
  const std::string text = K->describe();
  EXPECT_CONTAINS(text, "StiffnessOperator<double>: ");
  EXPECT_CONTAINS(text, std::string("backend: ") + std::get<2>(GetParam()) + " (as asked)");
  EXPECT_CONTAINS(text, "strategy: on_the_fly in double");
  EXPECT_CONTAINS(text, "solve(): multigrid, ");
  EXPECT_CONTAINS(text, "memory of this rank: ");
}

INSTANTIATE_TEST_SUITE_P(Applications,
                         StiffnessSolveProblem,
                         testing::Values(std::make_tuple("distorted", "plain", "cpu"),
                                         std::make_tuple("distorted", "component-wise", "cpu"),
                                         std::make_tuple("ball", "random", "cpu"),
                                         std::make_tuple("shell", "Cuthill-McKee", "cpu"),
                                         std::make_tuple("distorted", "plain", "cuda"),
                                         std::make_tuple("ball", "random", "cuda"),
                                         std::make_tuple("shell", "Cuthill-McKee", "cuda")),
                         name_of_parameters);
} // namespace
} // namespace strut::test
