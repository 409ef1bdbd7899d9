// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// StiffnessOperator::solve() with controls of deal.II, which see and decide the same as in
// SolverCG.
#include <deal.II/lac/solver_cg.h>

#include <vector>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
using NoConvergence = dealii::SolverControl::NoConvergence;

/// A derived control, as users write it to observe the iterations.
class ObservedControl : public dealii::SolverControl
{
public:
  using SolverControl::SolverControl;

  State check(const unsigned int step, const double value) override
  {
    steps.push_back(step);
    values.push_back(value);
    if (step == last)
      throw std::runtime_error("the observer has seen enough");
    return SolverControl::check(step, value);
  }

  std::vector<unsigned int> steps;
  std::vector<double> values;
  unsigned int last = dealii::numbers::invalid_unsigned_int;
};

class StiffnessControlProblem : public StiffnessPreconditionedProblem
{
protected:
  void SetUp() override
  {
    options.tolerance      = 0.5; // must not count, nor
    options.max_iterations = 1;
    start_with("adapted ball");
  }

  void prepare() override
  {
    application->assemble(true);
    make_operator();
  }

  void make_operator()
  {
    reinit();
    K.initialize_dof_vector(x);
    b.reinit(application->F);
    b = application->lifted_forces(K);
  }

  SolveReport solve(dealii::SolverControl &control)
  {
    return K.solve(x, application->F, control);
  }

  /// Residual |b - A x| on the free DoFs, by products.
  double residual() const
  {
    TrilinosVector v(x), r(b);
    application->constraints.set_zero(v);
    K.vmult(r, v);
    r.sadd(-1., 1., b);
    return r.l2_norm();
  }

  void expect_distributed() const
  {
    TrilinosVector y(x);
    application->constraints.distribute(y);
    EXPECT_LT(application->distance(y, x), 1e-13);
  }

  TrilinosVector x, b;
};

TEST_P(StiffnessControlProblem, SeesTheResidualsThatSolverCGSees)
{
  const double tolerance = 1e-7 * b.l2_norm();
  ObservedControl ours(2000, tolerance), theirs(2000, tolerance);
  ours.enable_history_data();
  const SolveReport report = solve(ours);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(ours.last_check(), dealii::SolverControl::success);
  EXPECT_EQ(ours.last_step(), report.iterations);
  EXPECT_LE(ours.last_value(), tolerance);
  EXPECT_LE(residual(), 1.01 * tolerance);
  EXPECT_NEAR(ours.initial_value(), b.l2_norm(), 1e-12 * b.l2_norm());
  EXPECT_EQ(ours.get_history_data(), ours.values);
  EXPECT_EQ(ours.values.size(), report.iterations + 1);
  for (unsigned int n = 0; n < ours.steps.size(); ++n)
    EXPECT_EQ(ours.steps[n], n);
  expect_distributed();

  TrilinosVector y(b);
  y = 0.;
  dealii::SolverCG<TrilinosVector>(theirs).solve(K, y, b, K.preconditioner());
  EXPECT_NEAR(ours.last_step(), theirs.last_step(), 2 + theirs.last_step() / 20);
  const double rounding = is_mixed() ? 1e-3 : 1e-6;
  for (unsigned int n = 0; n < 6; ++n)
    EXPECT_NEAR(ours.values[n], theirs.values[n], rounding * theirs.values[n]) << "step " << n;
}

TEST_P(StiffnessControlProblem, OtherControlsDecideByTheirOwnCriteria)
{
  dealii::ReductionControl reduction(2000, 0., 1e-3);
  EXPECT_TRUE(solve(reduction).converged);
  EXPECT_LE(reduction.last_value(), 1e-3 * reduction.initial_value());
  EXPECT_LE(residual(), 1.01e-3 * b.l2_norm());
  EXPECT_GT(residual(), 1e-8 * b.l2_norm());

  dealii::IterationNumberControl five(5, 0.);
  EXPECT_TRUE(solve(five).converged); // in terms of that control
  EXPECT_EQ(five.last_step(), 5u);
  EXPECT_NEAR(residual(), five.last_value(), 1e-6 * b.l2_norm());
}

TEST_P(StiffnessControlProblem, FailsAsDealIIDoesAndLeavesTheIterate)
{
  dealii::SolverControl control(3, 1e-12 * b.l2_norm());
  try
    {
      solve(control);
      ADD_FAILURE() << "three iterations were enough";
    }
  catch (const NoConvergence &failure)
    {
      EXPECT_EQ(failure.last_step, 3u);
      EXPECT_EQ(failure.last_residual, control.last_value());
      EXPECT_NEAR(residual(), failure.last_residual, 1e-6 * failure.last_residual);
    }
  EXPECT_EQ(control.last_check(), dealii::SolverControl::failure);
  expect_distributed();
  dealii::SolverControl more(2000, 1e-6 * b.l2_norm()); // the operator remains usable
  EXPECT_TRUE(solve(more).converged);
}

/// SolverCG would trust its recursive residual there.
TEST_P(StiffnessControlProblem, DoesNotBelieveTheRecursionBelowRounding)
{
  dealii::SolverControl control(20000, 1e-22 * b.l2_norm());
  try
    {
      solve(control);
      ADD_FAILURE() << "nothing is so precise";
    }
  catch (const NoConvergence &failure)
    {
      EXPECT_LT(failure.last_step, 20000u);
      EXPECT_LT(failure.last_residual, 1e-11 * b.l2_norm());
      EXPECT_GT(failure.last_residual, 1e-18 * b.l2_norm());
      EXPECT_NEAR(std::log10(residual()), std::log10(failure.last_residual), 0.5);
    }
  EXPECT_LT(application->distance(x, application->solution()), 1e-10);
}

TEST_P(StiffnessControlProblem, BeginsWithTheInitialGuessIfAsked)
{
  options.initial_guess = true;
  make_operator();
  dealii::SolverControl first(2000, 1e-8 * b.l2_norm()), second(2000, 1.1e-8 * b.l2_norm());
  x = 0.;
  EXPECT_GT(solve(first).iterations, 4u);
  EXPECT_EQ(solve(second).iterations, 0u);
  EXPECT_EQ(second.last_step(), 0u);
  EXPECT_NEAR(second.initial_value(), residual(), 1e-3 * residual());
}

// Checks r^T M^-1 r for the result of solve(), with deal.II's products. x is zero on constrained
// DoFs, as after lift().
TEST_P(StiffnessControlProblem, CriteriaOfThePapersHold)
{
  for (const bool is_absolute : {false, true})
    {
      options.criterion           = is_absolute ? "absolute" : "preconditioned";
      options.constrained_entries = "zero";
      options.max_iterations      = 2000;
      const double size           = is_absolute ? 1. : b.l2_norm();
      options.tolerance           = is_absolute ? 1e-9 * b.l2_norm() * b.l2_norm() : 1e-6;
      make_operator();
      const SolveReport report = K.solve(x, application->F);
      EXPECT_TRUE(report.converged);
      EXPECT_LE(report.residual, options.tolerance);
      TrilinosVector r(b), z(b);
      K.vmult(r, x);
      r.sadd(-1., 1., b);
      K.preconditioner().vmult(z, r);
      const double found    = is_absolute ? r * z : std::sqrt(r * z) / size;
      const double rounding = is_mixed() ? 1e-2 : 1e-3;
      EXPECT_NEAR(found, report.residual, rounding * report.residual) << options.criterion;
    }
}

TEST_P(StiffnessControlProblem, AnObserverMayEndItByAnErrorOfItsOwn)
{
  ObservedControl control(2000, 0.);
  control.last = 2;
  EXPECT_THROW(solve(control), std::runtime_error);
  EXPECT_EQ(control.steps.size(), 3u);
  dealii::SolverControl plain(2000, 1e-6 * b.l2_norm());
  EXPECT_TRUE(solve(plain).converged);
}

INSTANTIATE_TEST_SUITE_P(Applications,
                         StiffnessControlProblem,
                         all_preconditioners(),
                         name_of_parameters);

/// Mixed cycles are solved in parts of 100 iterations, whose limits do not count as steps.
TEST(StiffnessControl, CountsOnOverTheParts)
{
  Cube cube;
  cube.refine(1);
  cube.hold();
  cube.material                      = {1., 0.4999};
  cube.options.preconditioner        = "multigrid";
  cube.options.precision             = "mixed";
  cube.options.preconditioner_values = {{"Smoothing steps", 1.}};
  auto K                             = cube.make_operator();
  dealii::Vector<double> x(K.m()), f(K.m());
  for (unsigned int i = 0; i < f.size(); ++i)
    f(i) = std::sin(1. + i * i);
  ObservedControl control(5000, 1e-9);
  const SolveReport report = K.solve(x, f, control);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.iterations, 100u);
  ASSERT_EQ(control.steps.size(), report.iterations + 1);
  EXPECT_EQ(control.steps.back(), report.iterations);
}

TEST(StiffnessControl, OfFloat)
{
  HeldCube cube;
  auto K = cube.make_operator<float>();
  dealii::Vector<float> x(K.m()), f(K.m());
  f = 1.f;
  dealii::SolverControl control(100, 1e-4), too_precise(1000, 1e-14);
  EXPECT_TRUE(K.solve(x, f, control).converged);
  EXPECT_THROW(K.solve(x, f, too_precise), NoConvergence);
}

/// The control would count a step twice if it sees the step twice.
TEST(StiffnessControl, OfStepsInARowIsRefused)
{
  class Derived : public dealii::ConsecutiveControl
  {
  public:
    using ConsecutiveControl::ConsecutiveControl;
  };
  HeldCube cube;
  auto K = cube.make_operator();
  dealii::Vector<double> x(K.m()), f(K.m());
  f = 1.;
  dealii::ConsecutiveControl in_a_row(100, 1e-6, 3);
  Derived derived(100, 1e-6, 3);
  for (dealii::SolverControl *const control : {static_cast<dealii::SolverControl *>(&in_a_row),
                                               static_cast<dealii::SolverControl *>(&derived)})
    {
      const std::string message = message_of<Error>([&]() { K.solve(x, f, *control); });
      EXPECT_CONTAINS(message, "solve() has got a ConsecutiveControl");
      EXPECT_CONTAINS(message, "Take SolverControl, ReductionControl or");
    }
  EXPECT_EQ(x.l2_norm(), 0.);
  dealii::SolverControl plain(100, 1e-6);
  EXPECT_TRUE(K.solve(x, f, plain).converged);
  EXPECT_TRUE(K.solve(x, f).converged); // under no control that is gone
}

TEST(StiffnessControl, ForcesOfZeroTakeNoStep)
{
  HeldCube cube;
  auto K = cube.make_operator();
  dealii::Vector<double> x(K.m()), f(K.m());
  dealii::SolverControl control(100, 0.);
  EXPECT_TRUE(K.solve(x, f, control).converged);
  EXPECT_EQ(control.last_step(), 0u);
  EXPECT_EQ(x.l2_norm(), 0.);
}
} // namespace
} // namespace strut::test
