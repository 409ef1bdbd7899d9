// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/errors.h"
#include "../fixtures/function_problem.h"

#include <limits>

namespace strut::test
{
namespace
{
class MovingAsymptotesTest : public PlaceTest
{
protected:
  /// Svanberg's beam of five hollow parts: minimize 0.0624 sum x_j subject to sum c_j / x_j^3 <= 1
  /// and 1 <= x_j <= 10; here t = x / 10.
  static std::vector<HostFunction> beam()
  {
    const std::vector<double> c = {61., 37., 19., 7., 1.};
    return {SeparableFunction{0., std::vector<double>(5, 0.624), {}, {}, {}}.function(),
            {[c](const std::vector<double> &t) {
               double sum = -1.;
               for (std::size_t j = 0; j < 5; ++j)
                 sum += 1e-3 * c[j] / (t[j] * t[j] * t[j]);
               return sum;
             },
             [c](const std::vector<double> &t) {
               std::vector<double> g;
               for (std::size_t j = 0; j < 5; ++j)
                 g.push_back(-3e-3 * c[j] / (t[j] * t[j] * t[j] * t[j]));
               return g;
             }}};
  }

  static FunctionProblem::Settings unlimited(const double lower = 0.1)
  {
    FunctionProblem::Settings settings;
    settings.move_limit = 1.;
    settings.lower      = lower;
    return settings;
  }

  /// Settings for fine MMA steps. They go past an interior minimum, where derivatives vanish, and
  /// back, until 0.9 of the asymptotes' least distance.
  static FunctionProblem::Settings fine()
  {
    auto settings             = unlimited();
    settings.asymptotes.least = 1e-8;
    return settings;
  }

  /// A problem of n elements that want material, with m budgets of it.
  static std::vector<HostFunction> budgets(const std::size_t n, const std::size_t m)
  {
    std::vector<HostFunction> functions;
    SeparableFunction objective;
    objective.inverse = random_vector(n, 1, 0.2 / n, 3. / n);
    functions.push_back(objective.function());
    for (std::size_t i = 0; i < m; ++i)
      {
        SeparableFunction f;
        f.linear = random_vector(n, 10 + static_cast<unsigned int>(i), 0., 2. / n);
        f.square = random_vector(n, 1010 + static_cast<unsigned int>(i), 0., 1. / n);
        f.centre = random_vector(n, 2010 + static_cast<unsigned int>(i), 0., 0.3);
        f.offset = -0.4 - 0.1 * static_cast<double>(i % 7);
        functions.push_back(f.function());
      }
    return functions;
  }
};

// The closed form: x_j = c_j^(1/4) (sum_k c_k^(1/4))^(1/3).
TEST_P(MovingAsymptotesTest, SvanbergsBeam)
{
  const std::vector<double> c = {61., 37., 19., 7., 1.};
  double sum                  = 0.;
  for (const double c_j : c)
    sum += std::pow(c_j, 0.25);
  std::vector<double> expected;
  for (const double c_j : c)
    expected.push_back(0.1 * std::pow(c_j, 0.25) * std::cbrt(sum));
  const double least = 0.0624 * std::pow(sum, 4. / 3.);
  ASSERT_NEAR(least, 1.3399563605990743, 1e-14);

  for (const bool globally_convergent : {false, true})
    {
      SCOPED_TRACE(globally_convergent ? "GCMMA" : "MMA");
      FunctionProblem problem(backend(), beam(), std::vector<double>(5, 0.5), unlimited());
      int iterations = 0;
      double error   = 1.;
      for (; iterations < 60 && error > 1e-10; ++iterations)
        {
          const auto step = problem.step(globally_convergent);
          EXPECT_TRUE(step.is_solved);
          EXPECT_FALSE(step.is_relaxed);
          EXPECT_EQ(step.is_conservative, globally_convergent);
          EXPECT_LE(step.passes, 20u * std::max(step.trials, 1u));
          error = std::max(std::abs(problem.values(problem.x)[0] / least - 1.),
                           std::abs(problem.values(problem.x)[1]));
          if (iterations == 4 && !globally_convergent)
            {
              EXPECT_NEAR(problem.values(problem.x)[0], 1.34, 1e-3);
            }
        }
      RecordProperty(globally_convergent ? "GCMMA" : "MMA", iterations);
      EXPECT_LE(error, 1e-10);
      EXPECT_LE(iterations, globally_convergent ? 12 : 9);
      for (int i = 0; i < 10; ++i)
        problem.step(globally_convergent);
      EXPECT_LE(relative_difference(problem.x, expected), 1e-8);
      const auto step = problem.step(globally_convergent);
      EXPECT_LE(step.kkt, 1e-8);
      EXPECT_NEAR(step.multipliers[0], least / 3., 1e-7); // f_0 falls as (1 + f_1)^(-1/3)
    }
}

// A trial without values, whose analysis failed, is never the next design.
TEST_P(MovingAsymptotesTest, TrialsThatFailAreNotTaken)
{
  const auto cliff = [](const HostFunction &f) {
    return HostFunction{[f](const std::vector<double> &t) {
                          return t[0] > 0.62 ? std::numeric_limits<double>::infinity() : f.value(t);
                        },
                        f.derivative};
  };
  std::vector<HostFunction> functions;
  for (const HostFunction &f : beam()) // its optimum has t[0] = 0.6016
    functions.push_back(cliff(f));
  FunctionProblem problem(backend(), functions, std::vector<double>(5, 0.45), unlimited());
  bool has_failed = false;
  for (int i = 0; i < 20; ++i)
    {
      const auto step = problem.step(true);
      has_failed      = has_failed || step.trials > 1;
      EXPECT_LE(problem.x[0], 0.62);
    }
  EXPECT_TRUE(has_failed);
  EXPECT_NEAR(problem.values(problem.x)[0], 1.3399563605990743, 1e-6);
}

// Random convex problems, whose conditions of optimality are sufficient.
TEST_P(MovingAsymptotesTest, ConvexProblems)
{
  for (const std::size_t m : {0, 1, 3, 8, 9, 20, 100})
    {
      SCOPED_TRACE(m);
      const std::size_t n  = 331;
      const auto functions = budgets(n, m);
      FunctionProblem problem(backend(), functions, std::vector<double>(n, 0.5), unlimited(0.01));
      int iterations = 0;
      MovingAsymptotes::Step step;
      for (; iterations < 200 && !(step.kkt <= 1e-8); ++iterations)
        {
          step = problem.step();
          EXPECT_TRUE(step.is_solved) << iterations << " passes " << step.passes;
          EXPECT_LE(step.passes, 20u);
        }
      EXPECT_LE(step.kkt, 1e-8);

      const auto f = problem.values(problem.x);
      auto g       = functions[0].derivative(problem.x);
      for (std::size_t i = 0; i < m; ++i)
        {
          const auto g_i = functions[i + 1].derivative(problem.x);
          for (std::size_t e = 0; e < n; ++e)
            g[e] += step.multipliers[i] * g_i[e];
          EXPECT_LE(f[i + 1], 1e-7);
          EXPECT_GE(step.multipliers[i], 0.);
          EXPECT_LE(std::abs(step.multipliers[i] * f[i + 1]), 1e-6);
        }
      for (std::size_t e = 0; e < n; ++e)
        EXPECT_LE(std::abs(problem.x[e] -
                           std::clamp(problem.x[e] - static_cast<double>(n) * g[e], 0.01, 1.)),
                  1e-5);
    }
}

// The centre of the least ball around four points, of which two hold it.
TEST_P(MovingAsymptotesTest, WorstCase)
{
  const std::vector<std::vector<double>> points = {{0.2, 0.5, 0.5},
                                                   {0.8, 0.5, 0.5},
                                                   {0.5, 0.6, 0.5},
                                                   {0.45, 0.5, 0.3}};
  for (const double scale : {0.1, 20., 500.})
    for (const bool globally_convergent : {false, true})
      {
        SCOPED_TRACE(scale);
        std::vector<HostFunction> functions = {SeparableFunction().function()};
        for (const auto &point : points)
          functions.push_back(
            SeparableFunction{0., {}, std::vector<double>(3, scale), point, {}}.function(1.));
        FunctionProblem problem(backend(),
                                functions,
                                {0.9, 0.2, 0.7},
                                globally_convergent ? unlimited() : fine());
        MovingAsymptotes::Step step;
        int iterations = 0;
        for (; iterations < 100 && !(step.kkt <= 1e-8); ++iterations)
          {
            step = problem.step(globally_convergent);
            EXPECT_TRUE(step.is_solved);
            EXPECT_LE(step.passes, 20u * std::max(step.trials, 1u));
          }
        EXPECT_LE(step.kkt, 1e-8);
        EXPECT_LE(relative_difference(problem.x, {0.5, 0.5, 0.5}), 1e-6);
        EXPECT_NEAR(step.worst, scale * 0.09, 1e-6 * scale);
        EXPECT_NEAR(step.multipliers[0], 0.5, 1e-6);
        EXPECT_NEAR(step.multipliers[1], 0.5, 1e-6);
        EXPECT_NEAR(step.multipliers[2], 0., 1e-6);
      }
}

// An objective beside a worst case: f_0 + max f_i has the slopes of both.
TEST_P(MovingAsymptotesTest, WorstCaseWithObjective)
{
  // 2 x + max(1 / x, 0.5 / x) + (y - 0.3)^2
  FunctionProblem problem(backend(),
                          {SeparableFunction{0., {2., 0.}, {0., 1.}, {0., 0.3}, {}}.function(),
                           SeparableFunction{0., {}, {}, {}, {1., 0.}}.function(1.),
                           SeparableFunction{0., {}, {}, {}, {0.5, 0.}}.function(1.)},
                          {0.4, 0.9},
                          fine());
  MovingAsymptotes::Step step;
  int iterations = 0;
  for (; iterations < 100 && !(step.kkt <= 1e-8); ++iterations)
    step = problem.step();
  EXPECT_LE(step.kkt, 1e-8);
  EXPECT_LE(relative_difference(problem.x, {std::sqrt(0.5), 0.3}), 1e-7);
  EXPECT_NEAR(step.worst, std::sqrt(2.), 1e-6);
}

// Constraints that cannot hold: y takes them up, and the variables go as far as they can.
TEST_P(MovingAsymptotesTest, InfeasibleProblem)
{
  const std::size_t n = 40;
  SeparableFunction objective, constraint;
  objective.linear  = std::vector<double>(n, 1. / n);
  constraint.linear = std::vector<double>(n, -1. / n);
  constraint.offset = 2.; // 2 - mean x <= 0
  FunctionProblem::Settings settings;
  settings.lower = 0.01;
  FunctionProblem problem(backend(),
                          {objective.function(), constraint.function()},
                          std::vector<double>(n, 0.5),
                          settings);
  for (int i = 0; i < 5; ++i)
    {
      const auto step = problem.step();
      EXPECT_TRUE(step.is_relaxed);
      EXPECT_TRUE(step.is_solved);
      EXPECT_LE(step.passes, 20u);
      for (const double x : problem.x)
        EXPECT_NEAR(x, std::min(1., 0.5 + 0.2 * (i + 1)), 1e-14);
    }
  for (const double x : problem.x)
    EXPECT_EQ(x, 1.);
}

// All derivatives are zero. A constraint that holds has no multiplier, one that does not is
// relaxed, and x stays.
TEST_P(MovingAsymptotesTest, NoDerivatives)
{
  const auto x        = random_vector(33, 1, 0.1, 0.9);
  const auto constant = [&](const double value) {
    SeparableFunction f;
    f.offset = value;
    return f.function();
  };
  FunctionProblem problem(backend(), {constant(3.), constant(-1.), constant(0.5)}, x, unlimited());
  for (int i = 0; i < 3; ++i)
    {
      const auto step = problem.step();
      EXPECT_TRUE(step.is_solved);
      EXPECT_TRUE(step.is_relaxed);
      EXPECT_EQ(step.multipliers[0], 0.);
      EXPECT_NEAR(step.multipliers[1], 1500., 1e-6);
      EXPECT_TRUE(same_bits(problem.x, x));
    }
}

// With the same constraint twice, the second derivatives of the dual are singular.
TEST_P(MovingAsymptotesTest, DependentConstraints)
{
  const std::size_t n = 57;
  auto functions      = budgets(n, 1);
  auto once           = functions;
  functions.push_back(functions[1]);
  FunctionProblem problem(backend(), functions, std::vector<double>(n, 0.5), unlimited(0.01));
  FunctionProblem single(backend(), once, std::vector<double>(n, 0.5), unlimited(0.01));
  for (int i = 0; i < 8; ++i)
    {
      const auto step  = problem.step();
      const auto other = single.step();
      EXPECT_TRUE(step.is_solved);
      EXPECT_LE(relative_difference(problem.x, single.x), 1e-8);
      EXPECT_NEAR(step.multipliers[0] + step.multipliers[1],
                  other.multipliers[0],
                  1e-7 * other.multipliers[0]);
    }
}

// Bounds, the move limit, and elements that are not free.
TEST_P(MovingAsymptotesTest, BoundsAndPassiveElements)
{
  const std::size_t n = 1037;
  const auto flags    = mixed_flags(n);
  auto x              = random_vector(n, 5, 0.03, 1.);
  for (std::size_t e = 0; e < n; ++e)
    if (flags[e] == DesignFlag::empty)
      x[e] = 1e-9; // out of the bounds
  FunctionProblem::Settings settings;
  settings.lower      = 0.03;
  settings.move_limit = 0.07;
  FunctionProblem problem(backend(), budgets(n, 2), x, settings, flags);
  for (int i = 0; i < 10; ++i)
    {
      const auto before = problem.x;
      problem.step();
      for (std::size_t e = 0; e < n; ++e)
        if (flags[e] != DesignFlag::design)
          ASSERT_EQ(problem.x[e], x[e]);
        else
          {
            ASSERT_GE(problem.x[e], 0.03);
            ASSERT_LE(problem.x[e], 1.);
            ASSERT_LE(std::abs(problem.x[e] - before[e]), 0.07 + 1e-15);
          }
    }
}

// Designs have the same bits in every run, on any number of threads, and after a checkpoint.
TEST_P(MovingAsymptotesTest, SameBits)
{
  const std::size_t n = 20011;
  for (const std::size_t m : {2, 12})
    {
      const auto functions = budgets(n, m);
      const auto start     = random_vector(n, 5, 0.1, 0.9);
      FunctionProblem one(backend(), functions, start, unlimited(0.01));
      FunctionProblem two(backend(), functions, start, unlimited(0.01));
      for (int i = 0; i < 4; ++i)
        {
          one.step();
          two.step();
          EXPECT_TRUE(same_bits(one.x, two.x));
        }
      FunctionProblem three(backend(), functions, one.x, unlimited(0.01));
      three.update.restore(one.update.state());
      const auto backend_1 = make_cpu_backend(1);
      FunctionProblem serial(*backend_1, functions, one.x, unlimited(0.01));
      serial.update.restore(one.update.state());
      for (int i = 0; i < 3; ++i)
        {
          const auto step  = one.step();
          const auto again = three.step();
          EXPECT_EQ(step.kkt, again.kkt);
          EXPECT_TRUE(same_bits(step.multipliers, again.multipliers));
          EXPECT_TRUE(same_bits(one.x, three.x));
          serial.step();
          if (GetParam() != Place::cuda)
            {
              EXPECT_TRUE(same_bits(one.x, serial.x));
            }
          else
            EXPECT_LE(relative_difference(one.x, serial.x), 1e-8);
        }
    }
}

// Arbitrary subproblems of all kinds, one after another. Many are infeasible, with derivatives over
// many decades.
TEST_P(MovingAsymptotesTest, AnySubproblem)
{
  for (unsigned int seed = 0; seed < 60; ++seed)
    {
      SCOPED_TRACE(seed);
      Random random(seed);
      const std::size_t n = 30 + random.below(1000), m = 1 + random.below(12);
      const double scale = std::exp(random(-3., 3.)) / static_cast<double>(n);
      const bool worst   = random(0., 1.) < 0.3;
      const auto of      = [&](const std::size_t i) {
        std::vector<double> g(n);
        for (double &value : g)
          value = scale * (worst && i == 0 ? 0.
                                : seed % 3 == 0 ? random(-1., 1.)
                                : seed % 3 == 1 ? (i == 0 ? -std::pow(random(0., 1.), 12.) : 0.5)
                                : random(0., 1.) < 0.5 ? std::exp(random(-12., 3.))
                                                       : 0.);
        return g;
      };
      FunctionProblem::Settings settings;
      settings.asymptotes.initial = seed % 2 == 0 ? 0.1 : 0.5;
      const Array<DesignFlag> flags(memory(), std::vector<DesignFlag>(n, DesignFlag::design));
      MovingAsymptotes update(backend(), Communicator(), flags, settings);
      std::vector<double> x = random_vector(n, seed, 0.01, 1.);
      for (int iteration = 0; iteration < 3; ++iteration)
        {
          std::vector<Array<double>> derivatives;
          for (std::size_t i = 0; i <= m; ++i)
            derivatives.emplace_back(memory(), of(i));
          const Array<double> design(memory(), x);
          DesignPoint point{design, design, {3., 1., &derivatives[0]}};
          for (std::size_t i = 1; i <= m; ++i)
            if (worst && i <= 3)
              point.constraints.push_back({random(1., 50.), 1., &derivatives[i], 1.});
            else
              point.constraints.push_back({random(-0.3, 0.2), 1., &derivatives[i]});
          Array<double> next(memory(), n);
          const auto step = update.step(point, next);
          EXPECT_TRUE(step.is_solved);
          EXPECT_LE(step.passes, 40u);
          x = next.to_host();
        }
    }
}

// More functions than the address space of a kernel's arguments takes.
TEST_P(MovingAsymptotesTest, TooManyConstraints)
{
  FunctionProblem problem(backend(), budgets(5, 128), std::vector<double>(5, 0.5), unlimited());
  expect_reason([&]() { problem.step(); }, "at most 127 constraints, and there are 128");
}

INSTANTIATE_TEST_SUITE_P(Core, MovingAsymptotesTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
