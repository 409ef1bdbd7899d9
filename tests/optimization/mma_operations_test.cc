// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/vectors.h"
#include "source/backend/mma_operations.h"

namespace strut::test
{
namespace
{
/// n elements with m + 1 functions around a design, and multipliers of them.
struct Functions
{
  Functions(const std::size_t n, const std::size_t m)
    : x(random_vector(n, 1, 0.05, 1.)), d(random_vector(n, 2, 0.02, 2.)), flags(mixed_flags(n))
  {
    for (std::size_t i = 0; i <= m; ++i)
      {
        derivatives.push_back(random_vector(n, 10 + static_cast<unsigned int>(i), -1., 1.));
        convexities.push_back(1e-3 * static_cast<double>(i + 1));
        multipliers.push_back(i == 0 ? 1. : 0.2 * static_cast<double>(i % 5));
      }
  }

  std::vector<double> x, d;
  std::vector<DesignFlag> flags;
  std::vector<std::vector<double>> derivatives;
  std::vector<double> convexities, multipliers;
  StepBounds bounds{0.05, 1., 0.3};
};

/// Compares the passes of a backend with Svanberg's formulas.
class MmaOperationsTest : public PlaceTest
{
protected:
  struct Pass
  {
    std::vector<double> changes, curvature;
  };

  /// Calls body(operations, approximation) with the arrays on the backend.
  template <typename Body>
  void with(const Functions &functions, const Body &body)
  {
    const Array<double> x(memory(), functions.x), d(memory(), functions.d);
    const Array<DesignFlag> flags(memory(), functions.flags);
    std::vector<Array<double>> derivatives;
    for (const auto &derivative : functions.derivatives)
      derivatives.emplace_back(memory(), derivative);
    MmaApproximation approximation{x, d, flags, functions.bounds, {}, functions.convexities};
    for (const auto &derivative : derivatives)
      approximation.derivatives.push_back(&derivative);
    body(backend().mma_operations(), approximation);
  }

  Pass pass(const Functions &functions, const std::vector<double> &multipliers)
  {
    Pass result;
    with(functions, [&](const MmaOperations &operations, const MmaApproximation &approximation) {
      Array<double> shifts(memory(), functions.x.size()), weights(memory(), functions.x.size());
      operations.pass(
        approximation, multipliers, shifts, weights, result.changes, result.curvature);
    });
    return result;
  }

  std::vector<double> minimiser(const Functions &functions)
  {
    std::vector<double> result;
    with(functions, [&](const MmaOperations &operations, const MmaApproximation &approximation) {
      Array<double> next(memory(), poison<double>(functions.x.size()));
      operations.minimiser(approximation, functions.multipliers, next);
      result = next.to_host();
    });
    return result;
  }

  /// The weights p and q of 1 / (U - x) and 1 / (x - L).
  static std::pair<double, double>
  asymptotic(const Functions &f, const std::size_t i, const std::size_t e)
  {
    const double g = f.derivatives[i][e], d = f.d[e];
    const double up = std::max(g, 0.), down = std::max(-g, 0.);
    return {d * d * (1.001 * up + 0.001 * down + f.convexities[i]),
            d * d * (0.001 * up + 1.001 * down + f.convexities[i])};
  }

  /// Computes x(lambda) by bisection.
  static std::vector<double> expected_minimiser(const Functions &f)
  {
    std::vector<double> result = f.x;
    for (std::size_t e = 0; e < f.x.size(); ++e)
      {
        if (f.flags[e] != DesignFlag::design)
          continue;
        double p = 0., q = 0.;
        for (std::size_t i = 0; i < f.derivatives.size(); ++i)
          {
            p += f.multipliers[i] * asymptotic(f, i, e).first;
            q += f.multipliers[i] * asymptotic(f, i, e).second;
          }
        const double L = f.x[e] - f.d[e], U = f.x[e] + f.d[e];
        double low  = std::max({f.bounds.lower, f.x[e] - 0.3, L + 0.1 * f.d[e]});
        double high = std::min({f.bounds.upper, f.x[e] + 0.3, U - 0.1 * f.d[e]});
        for (int k = 0; k < 100; ++k)
          {
            const double x            = 0.5 * (low + high);
            const double slope        = p / ((U - x) * (U - x)) - q / ((x - L) * (x - L));
            (slope > 0. ? high : low) = x;
          }
        result[e] = 0.5 * (low + high);
      }
    return result;
  }

  static std::vector<std::size_t> numbers_of_constraints()
  {
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 21};
  }
};

TEST_P(MmaOperationsTest, MinimiserAndChanges)
{
  for (const std::size_t n : {0, 1, 33, 257, 9001})
    for (const std::size_t m : numbers_of_constraints())
      {
        SCOPED_TRACE(::testing::Message() << n << " elements, " << m << " constraints");
        const Functions f(n, m);
        const auto x        = minimiser(f);
        const auto expected = expected_minimiser(f);
        for (std::size_t e = 0; e < n; ++e)
          ASSERT_NEAR(x[e], expected[e], 1e-13);
        const auto changes = pass(f, f.multipliers).changes;
        ASSERT_EQ(changes.size(), m + 1);
        for (std::size_t i = 0; i <= m; ++i)
          {
            long double sum = 0.;
            for (std::size_t e = 0; e < n; ++e)
              if (f.flags[e] == DesignFlag::design)
                {
                  const auto [p, q] = asymptotic(f, i, e);
                  const double d = f.d[e], shift = expected[e] - f.x[e];
                  sum += p / (d - shift) + q / (d + shift) - (p + q) / d;
                }
            EXPECT_NEAR(changes[i],
                        static_cast<double>(sum),
                        1e-12 * (1. + static_cast<double>(n)));
          }
      }
}

// The changes are the derivatives of the dual; theirs are the curvature.
TEST_P(MmaOperationsTest, Curvature)
{
  for (const std::size_t m : numbers_of_constraints())
    {
      SCOPED_TRACE(m);
      Functions f(2003, m);
      for (std::size_t i = 1; i <= m; ++i)
        f.multipliers[i] = 0.1 + 0.03 * static_cast<double>(i);
      const auto curvature  = pass(f, f.multipliers).curvature;
      constexpr double step = 1e-6;
      ASSERT_EQ(curvature.size(), m * (m + 1) / 2);
      for (std::size_t j = 1; j <= m; ++j)
        {
          auto plus = f.multipliers, minus = f.multipliers;
          plus[j] += step;
          minus[j] -= step;
          const auto above = pass(f, plus).changes, below = pass(f, minus).changes;
          for (std::size_t i = j; i <= m; ++i)
            EXPECT_NEAR(curvature[i * (i - 1) / 2 + j - 1],
                        -(above[i] - below[i]) / (2. * step),
                        1e-4 * max_norm(curvature));
        }
    }
}

// The value of the dual, changes times multipliers, is least where x is.
TEST_P(MmaOperationsTest, EveryOtherStepIsWorse)
{
  const Functions f(500, 3);
  const auto value = [&](const std::vector<double> &x) {
    double sum = 0.;
    for (std::size_t e = 0; e < x.size(); ++e)
      for (std::size_t i = 0; f.flags[e] == DesignFlag::design && i <= 3; ++i)
        {
          const auto [p, q] = asymptotic(f, i, e);
          const double d = f.d[e], s = x[e] - f.x[e];
          sum += f.multipliers[i] * (p / (d - s) + q / (d + s) - (p + q) / d);
        }
    return sum;
  };
  const auto x       = minimiser(f);
  const auto changes = pass(f, f.multipliers).changes;
  EXPECT_NEAR(value(x), dot(changes, f.multipliers), 1e-12);
  Random random(3);
  for (int repetition = 0; repetition < 20; ++repetition)
    {
      auto other = x;
      for (std::size_t e = 0; e < x.size(); ++e)
        {
          const double move = std::min(0.3, 0.9 * f.d[e]);
          other[e]          = std::clamp(x[e] + random(-0.01, 0.01),
                                std::max(0.05, f.x[e] - move),
                                std::min(1., f.x[e] + move));
        }
      EXPECT_GT(value(other), value(x));
    }
}

// The factors of Svanberg's rule, and its bounds.
TEST_P(MmaOperationsTest, Distances)
{
  const AsymptoteRule rule{0.1, 1.2, 0.7, 0.01, 0.11};
  const std::vector<DesignFlag> on_host(5, DesignFlag::design);
  const Array<DesignFlag> flags(memory(), on_host);
  Array<double> old(memory(), poison<double>(5)), d(memory(), poison<double>(5));
  Array<std::int8_t> signs(memory(), std::vector<std::int8_t>(5, 3));
  const std::vector<std::vector<double>> designs  = {{0.5, 0.5, 0.5, 0.5, 0.5},
                                                     {0.6, 0.4, 0.5, 0.6, 0.4},
                                                     {0.7, 0.3, 0.6, 0.5, 0.5},
                                                     {0.8, 0.2, 0.6, 0.6, 0.4}};
  const std::vector<std::vector<double>> expected = {
    {0.2, 0.2, 0.2, 0.2, 0.2},
    {0.2, 0.2, 0.2, 0.2, 0.2},
    {0.22, 0.22, 0.2, 0.14, 0.14}, // bounded by 0.11
    {0.22, 0.22, 0.2, 0.098, 0.098}};
  for (std::size_t i = 0; i < designs.size(); ++i)
    {
      const Array<double> x(memory(), designs[i]);
      backend().mma_operations().update_distances(rule, 2., i == 0, x, flags, old, signs, d);
      EXPECT_LE(relative_difference(d.to_host(), expected[i]), 1e-14) << "step " << i;
      EXPECT_TRUE(same_bits(old.to_host(), designs[i]));
    }
}

// sum |g|, sum (x - clip(x - t g))^2 and sum 2 d s^2 / (1 - s^2), over design elements.
TEST_P(MmaOperationsTest, OtherSums)
{
  for (const std::size_t n : {0, 1, 33, 5003})
    for (const std::size_t m : {1, 11})
      {
        const Functions f(n, m);
        const auto y = expected_minimiser(f);
        double size = 0., square = 0., convexity = 0.;
        for (std::size_t e = 0; e < n; ++e)
          if (f.flags[e] == DesignFlag::design)
            {
              double g = 0.;
              for (std::size_t i = 0; i <= m; ++i)
                g += f.multipliers[i] * f.derivatives[i][e];
              const double r = f.x[e] - std::clamp(f.x[e] - 0.1 * g, 0.05, 1.);
              const double s = (y[e] - f.x[e]) / f.d[e];
              size += std::abs(f.derivatives[m][e]);
              square += r * r;
              convexity += 2. * f.d[e] * s * s / (1. - s * s);
            }
        with(f, [&](const MmaOperations &operations, const MmaApproximation &approximation) {
          const auto sizes =
            operations.derivative_sizes(approximation.derivatives, approximation.flags);
          EXPECT_NEAR(sizes.at(m), size, 1e-12 * size);
          EXPECT_NEAR(operations.stationarity(approximation, f.multipliers, 0.1),
                      square,
                      1e-12 * square);
          EXPECT_NEAR(operations.convexity_of_step(approximation, Array<double>(memory(), y)),
                      convexity,
                      1e-12 * convexity);
        });
      }
}

// Results have the same bits in every run.
TEST_P(MmaOperationsTest, SameBits)
{
  for (const std::size_t m : {3, 8, 21})
    {
      const Functions f(30011, m);
      const Pass first = pass(f, f.multipliers);
      for (int repetition = 0; repetition < 3; ++repetition)
        {
          const Pass again = pass(f, f.multipliers);
          EXPECT_TRUE(same_bits(first.changes, again.changes));
          EXPECT_TRUE(same_bits(first.curvature, again.curvature));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Core, MmaOperationsTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
