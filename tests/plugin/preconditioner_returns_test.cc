// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// A preconditioner that failed for one stiffness, or one right-hand side, is used again for the
// next one.
#include <strut/base/exceptions.h>

#include <limits>

#include "tests/plugin/distributed_problem.h"
#include "tests/plugin/stiffness_laws.h"

namespace strut::test
{
namespace
{
class ReturningPreconditionerProblem : public StiffnessMeshProblem
{
protected:
  void prepare() override
  {
    options.preconditioner = "multigrid";
    options.tolerance      = 1e-8;
    K                      = make_plain_operator();
    set(smooth_tangent);
    forces = application->random_vector(5);
    first  = solve();
    ASSERT_EQ(first.preconditioner, "multigrid");
  }

  void set(const Solid::Tangent &tangent)
  {
    application->solid.tangent = tangent;
    application->set_solid(*K);
  }

  SolveReport solve()
  {
    TrilinosVector x;
    K->initialize_dof_vector(x);
    return K->solve(x, forces);
  }

  /// Expects that the first solve can be repeated, without a remark.
  void expect_first()
  {
    const SolveReport again = solve();
    EXPECT_EQ(again.preconditioner, first.preconditioner);
    EXPECT_EQ(again.remark, "");
    EXPECT_NEAR(again.iterations, first.iterations, options.backend == "cuda" ? 1 : 0);
    EXPECT_LACKS(K->describe(), "fell back");
  }

  std::unique_ptr<StiffnessOperator<double>> K;
  TrilinosVector forces;
  SolveReport first;
};

Tangent indefinite_tangent(const dealii::Point<3> &x, const unsigned int q)
{
  return -1. * smooth_tangent(x, q);
}

TEST_P(ReturningPreconditionerProblem, AfterForcesThatAreNoNumbers)
{
  const TrilinosVector good = forces;
  forces                    = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve(), Error);
  forces = good;
  expect_first();
}

TEST_P(ReturningPreconditionerProblem, AfterAnIndefiniteStiffness)
{
  set(indefinite_tangent);
  for (int repetition = 0; repetition < 2; ++repetition)
    {
      const std::string text = message_of<SolverFailure>([&]() { solve(); });
      EXPECT_CONTAINS(text, "Before that: Jacobi's preconditioner from here on: ");
    }
  set(smooth_tangent);
  expect_first();
}

TEST_P(ReturningPreconditionerProblem, AfterAnIndefiniteStiffnessThatNobodySolvedWith)
{
  set(indefinite_tangent);
  EXPECT_EQ(K->preconditioner().name(), "jacobi");
  EXPECT_CONTAINS(K->describe(), "fell back on ");
  set(smooth_tangent);
  EXPECT_EQ(K->preconditioner().name(), "multigrid");
  expect_first();
}

INSTANTIATE_TEST_SUITE_P(Problem,
                         ReturningPreconditionerProblem,
                         testing::Combine(testing::Values("distorted", "adapted ball"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);
} // namespace
} // namespace strut::test
