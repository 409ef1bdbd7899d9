// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// StiffnessOperator::preconditioner() in deal.II's solvers: a symmetric positive definite matrix,
// the same as in solve().
#include <deal.II/lac/linear_operator.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_gmres.h>

#include <tuple>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
using Operator = StiffnessOperator<double>;

/// Parameters: a backend, a name of a preconditioner, a precision.
class StiffnessPreconditionerProblem
  : public StiffnessOperatorTest,
    public testing::WithParamInterface<std::tuple<const char *, const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [backend, name, precision] = GetParam();
    if (const std::string reason = why_not(backend); !reason.empty())
      GTEST_SKIP() << reason;
    options                = on(backend);
    options.preconditioner = name;
    options.precision      = precision;
    application            = std::make_unique<SomeApplication>("ball", "Cuthill-McKee");
    application->assemble(true);
    K.reinit(application->dof_handler, application->constraints, {application->material, options});
    K.set_factors([](const auto &cell) { return SomeApplication::factor(cell->center()); });
  }

  /// Computes M^-1 x.
  TrilinosVector apply(const Operator::Preconditioner &M, const TrilinosVector &x) const
  {
    TrilinosVector y;
    M.initialize_dof_vector(y);
    M.vmult(y, x);
    return y;
  }

  /// The right-hand side on the free DoFs.
  TrilinosVector right_hand_side() const
  {
    TrilinosVector b(application->F);
    K.lift(b);
    return b;
  }

  bool is_mixed() const
  {
    return options.precision == "mixed";
  }

  StiffnessOptions options;
  std::unique_ptr<SomeApplication> application;
  Operator K;
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
  const Operator::Preconditioner M = K.preconditioner();
  const TrilinosVector b           = right_hand_side();
  TrilinosVector x(b);
  x = 0.;
  dealii::SolverControl control(2000, 1e-8 * b.l2_norm());
  dealii::SolverCG<TrilinosVector>(control).solve(K, x, b, M);
  application->constraints.distribute(x);
  EXPECT_LT(application->distance(x, application->solution()), 1e-5);
  TrilinosVector y;
  K.initialize_dof_vector(y);
  const SolveReport report = K.solve(y, application->F);
  EXPECT_NEAR(control.last_step(), report.iterations, 2 + report.iterations / 20);
}

TEST_P(StiffnessPreconditionerProblem, SolvesInFGMRES)
{
  const Operator::Preconditioner M = K.preconditioner();
  const TrilinosVector b           = right_hand_side();
  TrilinosVector x(b);
  x = 0.;
  dealii::SolverControl control(2000, 1e-8 * b.l2_norm());
  dealii::SolverFGMRES<TrilinosVector>(control).solve(K, x, b, M);
  application->constraints.distribute(x);
  EXPECT_LT(application->distance(x, application->solution()), 1e-5);
}

TEST_P(StiffnessPreconditionerProblem, FollowsTheFactorsOfItsOperator)
{
  const Operator::Preconditioner M = K.preconditioner();
  const auto x                     = application->random_vector(3);
  const TrilinosVector before      = apply(M, x);
  K.set_factors([](const auto &cell) { return 4. * SomeApplication::factor(cell->center()); });
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
  K.set_factors([](const auto &cell) { return 4. * SomeApplication::factor(cell->center()); });
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
                         testing::Values(std::make_tuple("cpu", "jacobi", "auto"),
                                         std::make_tuple("cpu", "multigrid", "auto"),
                                         std::make_tuple("cpu", "multigrid", "mixed"),
                                         std::make_tuple("cuda", "jacobi", "auto"),
                                         std::make_tuple("cuda", "multigrid", "auto"),
                                         std::make_tuple("cuda", "multigrid", "mixed")),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param) + "_" + std::get<2>(info.param);
                         });

/// Uses `linear_operator()` with deal.II's own vectors.
TEST(StiffnessPreconditioner, IsALinearOperator)
{
  using Vector = dealii::LinearAlgebra::distributed::Vector<double>;
  Cube cube;
  cube.hold();
  cube.constraints.close();
  Operator K(cube.dof_handler, cube.constraints, cube.material, cube.options);
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
  Cube cube;
  cube.hold();
  cube.constraints.close();
  const Operator K(cube.dof_handler, cube.constraints, cube.material, cube.options);
  Cube free;
  free.constraints.close();
  const Operator without_supports(free.dof_handler, free.constraints, free.material, free.options);
  Operator::Preconditioner M;
  M.initialize(K);
  EXPECT_EQ(M.m(), K.m());
  EXPECT_THROW(M.initialize(without_supports), Error);
  EXPECT_THROW(M.m(), Error);
}

TEST(StiffnessPreconditioner, RefusesOneVectorForBoth)
{
  Cube cube;
  cube.hold();
  cube.constraints.close();
  Operator K(cube.dof_handler, cube.constraints, cube.material, cube.options);
  const auto M = K.preconditioner();
  dealii::Vector<double> x(K.m());
  EXPECT_TRUE(contains(message_of<Error>([&]() { M.vmult(x, x); }), "They must differ"));
}
} // namespace
} // namespace strut::test
