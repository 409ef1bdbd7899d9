// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// StiffnessOperator::preconditioner() in deal.II's solvers: a symmetric positive definite matrix,
// the same as in solve().
#include <deal.II/lac/linear_operator.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_gmres.h>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
using Operator = StiffnessOperator<double>;

class StiffnessPreconditionerProblem : public StiffnessPreconditionedProblem
{
protected:
  void SetUp() override
  {
    start_with("ball");
  }

  void prepare() override
  {
    application->assemble(true);
    reinit();
  }

  /// Computes M^-1 x.
  TrilinosVector apply(const Operator::Preconditioner &M, const TrilinosVector &x) const
  {
    TrilinosVector y;
    M.initialize_dof_vector(y);
    M.vmult(y, x);
    return y;
  }

  /// Expects the solution by a solver of deal.II.
  template <class Solver>
  void expect_solution_by(dealii::SolverControl &control) const
  {
    const TrilinosVector b = application->lifted_forces(K);
    TrilinosVector x(b);
    x = 0.;
    control.set_tolerance(1e-8 * b.l2_norm());
    Solver(control).solve(K, x, b, K.preconditioner());
    application->constraints.distribute(x);
    EXPECT_LT(application->distance(x, application->solution()), 1e-5);
  }
};

TEST_P(StiffnessPreconditionerProblem, IsSymmetricPositiveDefiniteAndLinear)
{
  const Operator::Preconditioner M = K.preconditioner();
  EXPECT_EQ(M.m(), K.m());
  EXPECT_EQ(M.n(), K.n());
  EXPECT_EQ(M.name(), options.preconditioner);
  const double rounding = is_mixed() ? 1e-4 : 1e-11;
  for (const unsigned int seed : {1u, 5u})
    {
      const auto x = application->random_vector(seed), y = application->random_vector(seed + 10);
      const auto Mx = apply(M, x), My = apply(M, y);
      const double size = std::sqrt((Mx * x) * (My * y));
      EXPECT_GT(Mx * x, 0.);
      EXPECT_NEAR(Mx * y, x * My, rounding * size);
      TrilinosVector sum(x);
      sum.sadd(2., -3., y);
      TrilinosVector expected(Mx);
      expected.sadd(2., -3., My);
      EXPECT_LT(application->distance(apply(M, sum), expected), rounding);
      TrilinosVector transposed(Mx);
      M.Tvmult(transposed, x);
      EXPECT_LT(application->distance(transposed, Mx), is_mixed() ? 1e-5 : 1e-13);
      for (const auto i : application->owned)
        if (application->constraints.is_constrained(i))
          {
            ASSERT_EQ(Mx(i), x(i)); // although values other than zero are prescribed there
          }
    }
}

TEST_P(StiffnessPreconditionerProblem, SolvesInSolverCGAsSolveDoes)
{
  dealii::SolverControl control(2000);
  expect_solution_by<dealii::SolverCG<TrilinosVector>>(control);
  const SolveReport report = application->solve(K);
  EXPECT_NEAR(control.last_step(), report.iterations, 2 + report.iterations / 20);
}

TEST_P(StiffnessPreconditionerProblem, SolvesInFGMRES)
{
  dealii::SolverControl control(2000);
  expect_solution_by<dealii::SolverFGMRES<TrilinosVector>>(control);
}

TEST_P(StiffnessPreconditionerProblem, FollowsTheFactorsOfItsOperator)
{
  const Operator::Preconditioner M = K.preconditioner();
  const auto x                     = application->random_vector(3);
  const TrilinosVector before      = apply(M, x);
  SomeApplication::set_factors(K, 4.);
  const TrilinosVector after = apply(M, x);
  const double rounding      = (is_mixed() ? 1e-5 : 1e-12) * before.linfty_norm();
  for (const auto i : application->owned)
    {
      const double expected =
        application->constraints.is_constrained(i) ? before(i) : 0.25 * before(i);
      ASSERT_NEAR(after(i), expected, rounding);
    }
}

TEST_P(StiffnessPreconditionerProblem, OutlivesItsOperator)
{
  const Operator::Preconditioner M = K.preconditioner(), copy(M);
  const auto x                     = application->random_vector(3);
  const TrilinosVector before      = apply(M, x);
  K.clear();
  EXPECT_LT(application->distance(apply(copy, x), before), is_mixed() ? 1e-5 : 1e-13);
}

/// The preconditioner as a member of a user's class: empty, initialized twice, assigned, cleared.
TEST_P(StiffnessPreconditionerProblem, IsAPlainMember)
{
  struct Simulation
  {
    Operator::Preconditioner M;
  } simulation;
  const auto x       = application->random_vector(3);
  const auto rounded = is_mixed() ? 1e-5 : 1e-13;
  simulation.M.initialize(K);
  const TrilinosVector before = apply(simulation.M, x);
  EXPECT_LT(application->distance(before, apply(K.preconditioner(), x)), rounded);

  K.reinit(application->dof_handler, application->constraints, {application->material, options});
  SomeApplication::set_factors(K, 4.);
  const Operator::Preconditioner old(simulation.M);
  simulation.M.initialize(K);
  EXPECT_LT(application->distance(apply(old, x), before), rounded);
  EXPECT_LT(application->distance(apply(simulation.M, x), apply(K.preconditioner(), x)), rounded);
  EXPECT_GT(application->distance(apply(simulation.M, x), before), 0.1);

  simulation.M = old;
  EXPECT_LT(application->distance(apply(simulation.M, x), before), rounded);
  simulation.M.clear();
  EXPECT_LT(application->distance(apply(old, x), before), rounded);
  EXPECT_THROW(simulation.M.m(), Error);
}

INSTANTIATE_TEST_SUITE_P(Applications,
                         StiffnessPreconditionerProblem,
                         all_preconditioners(),
                         name_of_parameters);

/// Uses `linear_operator()` with deal.II's own vectors.
TEST(StiffnessPreconditioner, IsALinearOperator)
{
  using Vector = dealii::LinearAlgebra::distributed::Vector<double>;
  HeldCube cube;
  auto K       = cube.make_operator();
  const auto M = K.preconditioner();
  Vector x, b;
  K.initialize_dof_vector(x);
  M.initialize_dof_vector(b);
  b = 1.;
  K.lift(b);
  const auto A = dealii::linear_operator<Vector>(K);
  dealii::SolverControl control(100, 1e-12);
  dealii::SolverCG<Vector> cg(control);
  cg.solve(A, x, b, dealii::linear_operator<Vector>(M));
  Vector residual(b);
  K.vmult(residual, x);
  residual -= b;
  EXPECT_LT(residual.l2_norm(), 1e-11);
}

TEST(StiffnessPreconditioner, EmptyOnesSaySo)
{
  Operator K;
  Operator::Preconditioner M;
  dealii::Vector<double> x(81), y(81);
  const std::string expected =
    "The preconditioner of a StiffnessOperator is empty.\n  Call initialize(matrix) before.";
  EXPECT_EQ(message_of<Error>([&]() { M.vmult(y, x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { M.n(); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { M.name(); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { M.initialize_dof_vector(x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { M.initialize(K); }),
            "The StiffnessOperator is empty.\n  Call reinit() before.");
  M.clear();
}

TEST(StiffnessPreconditioner, AFailedInitializeLeavesAnEmptyOne)
{
  HeldCube cube;
  const auto K = cube.make_operator();
  Cube free;
  const auto without_supports = free.make_operator();
  Operator::Preconditioner M;
  M.initialize(K);
  EXPECT_EQ(M.m(), K.m());
  EXPECT_THROW(M.initialize(without_supports), Error);
  EXPECT_THROW(M.m(), Error);
}

TEST(StiffnessPreconditioner, RefusesOneVectorForBoth)
{
  HeldCube cube;
  auto K       = cube.make_operator();
  const auto M = K.preconditioner();
  dealii::Vector<double> x(K.m());
  EXPECT_CONTAINS(message_of<Error>([&]() { M.vmult(x, x); }), "They must differ");
}
} // namespace
} // namespace strut::test
