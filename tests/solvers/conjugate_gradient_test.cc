// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/errors.h"
#include "source/solvers/krylov/conjugate_gradient.h"
#include "source/solvers/krylov/jacobi.h"

namespace strut::test
{
namespace
{
using Criterion                    = SolverControl::Criterion;
constexpr Criterion all_criteria[] = {Criterion::relative,
                                      Criterion::preconditioned,
                                      Criterion::absolute};

/// A system `K u = f` on a backend, with Jacobi's preconditioner.
template <typename Number>
class System
{
public:
  System(Backend &backend,
         const std::string &strategy,
         const BoxMesh &box,
         const std::vector<double> &factors)
    : memory_(backend.memory())
    , matrix_(backend, Communicator(), box.mesh, {}, strategy)
    , preconditioner_(backend)
    , solver_(backend, Communicator(), timing_)
    , b_(memory_, box.mesh.n_dofs())
    , x_(memory_, box.mesh.n_dofs())
  {
    matrix_.set(Array<double>(memory_, factors));
    preconditioner_.update(matrix_);
  }

  SolverReport solve(const SolverControl &control, const std::vector<double> &f)
  {
    b_.copy_from_host(std::vector<Number>(f.begin(), f.end()));
    matrix_.zero_constrained(b_);
    return solver_.solve(control, matrix_, preconditioner_, b_, x_);
  }

  std::vector<Number> solution() const
  {
    return x_.to_host();
  }
  void start_from_zero()
  {
    x_.set_zero();
  }
  std::vector<Number> diagonal()
  {
    Array<Number> d(memory_, matrix_.n_local());
    matrix_.diagonal(d);
    return d.to_host();
  }

private:
  Memory &memory_;
  TimingTable timing_;
  ElasticityOperator<Number> matrix_;
  JacobiPreconditioner<Number> preconditioner_;
  ConjugateGradient<Number> solver_;
  Array<Number> b_, x_;
};

/// A cantilever with non-uniform stiffness, distorted by default.
struct UnevenCantilever
{
  explicit UnevenCantilever(const BoxMesh &shape = make_box(BoxOptions::wild({{4, 3, 2}}, 5)))
    : box(shape), factors(random_vector(box.mesh.n_elements, 6, 0.05, 1.))
  {
    hold_left_face(box);
    f = edge_load(box);
  }

  /// Residual f - K u on the free DoFs, by the assembled matrix.
  template <typename Number>
  std::vector<double> residual(const std::vector<Number> &u) const
  {
    std::vector<double> r = ReferenceStiffness(box.mesh, {}, factors).apply(u);
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] = f[i] - r[i];
    return without_constrained(r, box.mesh);
  }

  BoxMesh box;
  std::vector<double> factors;
  std::vector<double> f;
};

SolverControl
control(const Criterion criterion, const double tolerance, const unsigned int max_iterations = 2000)
{
  SolverControl result;
  result.criterion      = criterion;
  result.tolerance      = tolerance;
  result.max_iterations = max_iterations;
  return result;
}

class ConjugateGradientTest : public StrategyTest
{
protected:
  /// A cantilever that is distorted if the strategy allows it.
  UnevenCantilever cantilever(const std::array<std::size_t, 3> &n = {{4, 3, 2}}) const
  {
    return UnevenCantilever(make_box(BoxOptions::wild(n, 5)));
  }

  template <typename Number>
  System<Number> make(const UnevenCantilever &problem)
  {
    return System<Number>(backend(), GetParam().strategy, problem.box, problem.factors);
  }

  /// Calls body(system, problem) in the precision of the case.
  template <typename Body>
  void with_system(const Body &body)
  {
    with_number([&](const auto tag) {
      const UnevenCantilever problem = this->cantilever();
      auto system                    = this->template make<decltype(number_of(tag))>(problem);
      body(system, problem);
    });
  }
};

// u = K^-1 f by a dense Cholesky factorisation.
TEST_P(ConjugateGradientTest, EqualsADirectSolver)
{
  with_number([&](const auto tag) {
    using Number                   = decltype(number_of(tag));
    constexpr bool is_double       = std::is_same<Number, double>::value;
    const UnevenCantilever problem = this->cantilever();
    const auto expected =
      ReferenceStiffness(problem.box.mesh, {}, problem.factors).solve(problem.f);
    auto system = this->template make<Number>(problem);
    const auto report =
      system.solve(control(Criterion::relative, is_double ? 1e-12 : 1e-5), problem.f);
    EXPECT_GT(report.iterations, 10u);
    EXPECT_LE(relative_difference(system.solution(), expected), is_double ? 1e-10 : 1e-3);
    for (const LocalIndex dof : problem.box.mesh.constrained_dofs)
      EXPECT_EQ(system.solution()[dof], Number(0));
  });
}

// |r| after each iteration, and the end as the monitor wants it: with x as it was then.
TEST_P(ConjugateGradientTest, AMonitorSeesAndDecides)
{
  using Verdict                  = SolverControl::Verdict;
  const UnevenCantilever problem = cantilever();
  auto system                    = make<double>(problem);
  for (const Verdict verdict : {Verdict::enough, Verdict::give_up})
    {
      std::vector<unsigned int> steps;
      double last           = 0.;
      SolverControl watched = control(Criterion::relative, 0.);
      watched.monitor       = [&](const unsigned int iterations, const double norm) {
        steps.push_back(iterations);
        last = norm;
        return iterations < 7 ? Verdict::go_on : verdict;
      };
      system.start_from_zero();
      const SolverReport report = system.solve(watched, problem.f);
      EXPECT_EQ(report.iterations, 7u);
      EXPECT_EQ(report.converged, verdict == Verdict::enough);
      EXPECT_EQ(report.at_limit, verdict == Verdict::give_up);
      std::vector<unsigned int> expected = {0, 1, 2, 3, 4, 5, 6, 7};
      if (report.converged)
        expected.push_back(7); // the true residual
      EXPECT_EQ(steps, expected);
      EXPECT_NEAR(norm(problem.residual(system.solution())), last, 1e-9 * last);
    }
}

// |r| <= eps |f| with the true residual, not only the one of the recurrence.
TEST_P(ConjugateGradientTest, RelativeCriterionHolds)
{
  with_system([](auto &system, const UnevenCantilever &problem) {
    for (const double tolerance : {1e-2, 1e-4})
      {
        system.start_from_zero();
        const auto report = system.solve(control(Criterion::relative, tolerance), problem.f);
        EXPECT_LE(report.residual, tolerance);
        const double norm_r = norm(problem.residual(system.solution())) / norm(problem.f);
        EXPECT_NEAR(norm_r, report.residual, 0.1 * tolerance);
      }
  });
}

// r . D^-1 r <= eps, the criterion of Ratnakar (2022).
TEST_P(ConjugateGradientTest, AbsoluteCriterionHolds)
{
  with_system([](auto &system, const UnevenCantilever &problem) {
    const auto d = system.diagonal();
    for (const double tolerance : {1e-2, 1e-5})
      {
        system.start_from_zero();
        const auto report = system.solve(control(Criterion::absolute, tolerance), problem.f);
        EXPECT_LE(report.residual, tolerance);
        const auto r = problem.residual(system.solution());
        double rz    = 0;
        for (std::size_t i = 0; i < r.size(); ++i)
          rz += r[i] * r[i] / static_cast<double>(d[i]);
        EXPECT_NEAR(rz, report.residual, 0.1 * tolerance);
      }
  });
}

// sqrt(r . D^-1 r) <= eps |f|, algorithm 1 of Martinez-Frutos and Herrero-Perez (2017). It equals
// the absolute criterion at (eps |f|)^2, so it takes as many iterations.
TEST_P(ConjugateGradientTest, PreconditionedCriterionHolds)
{
  with_system([](auto &system, const UnevenCantilever &problem) {
    const auto d = system.diagonal();
    for (const double load : {1., 1e3})
      for (const double tolerance : {1e-2, 1e-4})
        {
          std::vector<double> f = problem.f;
          for (double &force : f)
            force *= load;
          system.start_from_zero();
          const auto report = system.solve(control(Criterion::preconditioned, tolerance), f);
          EXPECT_TRUE(report.converged);
          EXPECT_LE(report.residual, tolerance);
          auto u = system.solution();
          for (auto &value : u)
            value /= static_cast<std::decay_t<decltype(value)>>(load);
          const auto r = problem.residual(u);
          double rz    = 0;
          for (std::size_t i = 0; i < r.size(); ++i)
            rz += r[i] * r[i] / static_cast<double>(d[i]);
          EXPECT_NEAR(std::sqrt(rz) / norm(problem.f), report.residual, 0.1 * tolerance);

          system.start_from_zero();
          const double size = tolerance * norm(f);
          // where sums have no order, rounding may decide on one
          EXPECT_NEAR(system.solve(control(Criterion::absolute, size * size), f).iterations,
                      report.iterations,
                      1.);
        }
  });
}

// All strategies do the same arithmetic: as many iterations as the plain operator, within one.
TEST_P(ConjugateGradientTest, IterationsDoNotDependOnTheStrategy)
{
  with_number([&](const auto tag) {
    using Number                   = decltype(number_of(tag));
    const UnevenCantilever problem = this->cantilever({{6, 4, 4}});
    const auto c                   = control(Criterion::relative, 1e-4);
    const auto plain               = make_cpu_backend(1);
    const auto expected =
      System<double>(*plain, "ebe", problem.box, problem.factors).solve(c, problem.f).iterations;
    const auto found   = this->template make<Number>(problem).solve(c, problem.f).iterations;
    const double slack = std::is_same<Number, double>::value ? 1. : 0.1 * expected;
    EXPECT_NEAR(found, expected, slack);
  });
}

// No iteration is needed from the solution; f = 0 has the solution 0.
TEST_P(ConjugateGradientTest, StartsFromWhatItIsGiven)
{
  with_system([](auto &system, const UnevenCantilever &problem) {
    system.solve(control(Criterion::relative, 1e-4), problem.f);
    EXPECT_EQ(system.solve(control(Criterion::relative, 2e-4), problem.f).iterations, 0u);
    system.start_from_zero();
    const auto report =
      system.solve(control(Criterion::relative, 1e-5), std::vector<double>(problem.f.size(), 0.));
    EXPECT_EQ(report.iterations, 0u);
    EXPECT_EQ(max_norm(system.solution()), 0.);
  });
}

INSTANTIATE_TEST_SUITE_P(Core, ConjugateGradientTest, of_all_strategies(), strategy_case_name);

/// Tests the message of a failed solve.
class SolverFailureTest : public PlaceTest
{
protected:
  /// Expects a failure whose message contains all these texts.
  void expect_failure(const UnevenCantilever &problem,
                      const SolverControl &control,
                      const std::vector<std::string> &texts)
  {
    try
      {
        System<double>(backend(), "ebe", problem.box, problem.factors).solve(control, problem.f);
        ADD_FAILURE() << "no failure";
      }
    catch (const SolverFailure &error)
      {
        EXPECT_EQ(error.reason.find('\n'), std::string::npos) << error.reason; // warnings quote it
        EXPECT_NE(error.remedy, Remedy::none);
        const std::string message = error.what();
        for (const std::string &text : texts)
          EXPECT_NE(message.find(text), std::string::npos) << message;
      }
  }
};

TEST_P(SolverFailureTest, NamesTheLimitOfIterations)
{
  for (const Criterion criterion : all_criteria)
    expect_failure(UnevenCantilever(),
                   control(criterion, 1e-10, 3),
                   {"not converged after 3 iterations", "tolerance 1e-10"});
}

// A negative stiffness makes the operator negative definite.
TEST_P(SolverFailureTest, NamesAnOperatorThatIsNotPositiveDefinite)
{
  UnevenCantilever problem;
  for (double &factor : problem.factors)
    factor = -factor;
  expect_failure(problem, control(Criterion::relative, 1e-10), {"not positive definite"});
}

/// The preconditioner M = -1, as multigrid with a wrong bound may be.
class Negative : public Preconditioner<double>
{
public:
  explicit Negative(const Backend &backend) : vectors_(backend.vector_operations<double>())
  {}

  void apply(const Array<double> &r, Array<double> &z) override
  {
    vectors_.copy(r.size(), r, z);
    vectors_.axpy(r.size(), -2., r, z);
  }

private:
  const VectorOperations<double> &vectors_;
};

// With the absolute criterion, a negative r^T M^-1 r would be below every tolerance; with the
// preconditioned one it has no root.
TEST_P(SolverFailureTest, NamesAPreconditionerThatIsNotPositiveDefinite)
{
  const UnevenCantilever problem;
  TimingTable timing;
  ElasticityOperator<double> matrix(backend(), Communicator(), problem.box.mesh, {}, "ebe");
  matrix.set(Array<double>(backend().memory(), problem.factors));
  Negative preconditioner(backend());
  for (const Criterion criterion : all_criteria)
    {
      Array<double> b(backend().memory(), problem.f), x(backend().memory(), problem.f.size());
      matrix.zero_constrained(b);
      ConjugateGradient<double> solver(backend(), Communicator(), timing);
      expect_error<SolverFailure>(
        [&]() { solver.solve(control(criterion, 1e-6), matrix, preconditioner, b, x); },
        {"preconditioner is not positive definite"});
    }
}

// Without supports K is singular, and an unbalanced load has no solution.
TEST_P(SolverFailureTest, NoticesMissingSupports)
{
  UnevenCantilever problem;
  problem.box.mesh.constrained_dofs.clear();
  problem.box.mesh.constrained_values.clear();
  expect_failure(problem,
                 control(Criterion::relative, 1e-10),
                 {"not positive definite", "supports"});
}

// Of two pieces only one is held. However rounding affects the other, no solution is returned that
// is worse than none.
TEST_P(SolverFailureTest, NoticesAPieceWithoutSupports)
{
  for (const double contrast : {1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-18, 1e-20})
    for (const Criterion criterion : all_criteria)
      {
        UnevenCantilever problem(make_box(BoxOptions::regular({{9, 3, 3}})));
        for (std::size_t e = 0; e < problem.factors.size(); ++e)
          if (problem.box.element_at[e][0] == 4)
            problem.factors[e] = contrast;
        System<double> system(backend(), "ebe", problem.box, problem.factors);
        try
          {
            const SolverReport report = system.solve(control(criterion, 1e-10, 100000), problem.f);
            if (criterion == Criterion::relative)
              {
                EXPECT_LE(report.residual, 1.) << contrast;
              }
          }
        catch (const SolverFailure &failure)
          {
            EXPECT_NE(std::string(failure.what()).find("supports"), std::string::npos);
          }
      }
}

TEST_P(SolverFailureTest, NamesNumbersThatAreNotFinite)
{
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    {
      UnevenCantilever stiffness, load;
      stiffness.factors[3]                          = bad;
      *std::find(load.f.begin(), load.f.end(), -1.) = bad;
      for (const UnevenCantilever *problem : {&stiffness, &load})
        expect_failure(*problem, control(Criterion::relative, 1e-10), {"not finite"});
    }
}

// A stiff frame full of nearly void material. Where the elements' stiffness differs by 1e9, float
// cannot reach a small residual. The solve says so after about twice the iterations to that point,
// with the best solution possible.
TEST_P(SolverFailureTest, FloatGivesUpInTime)
{
  UnevenCantilever problem(make_box(BoxOptions::regular({{12, 6, 6}})));
  for (std::size_t e = 0; e < problem.factors.size(); ++e)
    {
      const auto &[i, j, k] = problem.box.element_at[e];
      const bool is_frame   = i == 11 || ((j == 0 || j == 5) && (k == 0 || k == 5));
      problem.factors[e]    = is_frame ? 1. : 1e-9;
    }
  for (const Criterion criterion : all_criteria)
    {
      const bool linear = criterion != Criterion::absolute;
      System<float> system(backend(), "ebe", problem.box, problem.factors);
      const auto out_of_reach =
        system.solve(control(criterion, linear ? 1e-9 : 1e-18, 100000), problem.f);
      EXPECT_FALSE(out_of_reach.converged);
      EXPECT_LE(out_of_reach.residual, linear ? 1e-2 : 1e-4) << "far from what float can do";
      const auto reached = out_of_reach.residual * (linear ? 1.5 : 2.25);
      System<float> again(backend(), "ebe", problem.box, problem.factors);
      const auto in_reach = again.solve(control(criterion, reached, 100000), problem.f);
      EXPECT_TRUE(in_reach.converged);
      EXPECT_LE(out_of_reach.iterations, 2.5 * in_reach.iterations + 20);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, SolverFailureTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
