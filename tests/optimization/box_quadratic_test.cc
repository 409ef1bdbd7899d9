// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/vectors.h"

#include "source/optimization/updates/dual_ascent.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
/// B B^T with B of n rows and `rank` columns, and a small diagonal.
PackedMatrix random_matrix(const std::size_t n, const std::size_t rank, const unsigned int seed)
{
  const auto B = random_vector(n * rank, seed);
  PackedMatrix A;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      {
        double sum = i == j ? 1e-8 : 0.;
        for (std::size_t k = 0; k < rank; ++k)
          sum += B[i * rank + k] * B[j * rank + k];
        A.entries.push_back(sum);
      }
  return A;
}

// The gradient vanishes inside of the box, and points outwards at its faces.
TEST(BoxQuadratic, ConditionsOfOptimality)
{
  for (const std::size_t n : {1, 2, 5, 20, 100})
    for (const std::size_t rank : {n, n / 2 + 1})
      for (unsigned int seed = 0; seed < 10; ++seed)
        {
          SCOPED_TRACE(::testing::Message() << n << " variables, rank " << rank << ", " << seed);
          const PackedMatrix A = random_matrix(n, rank, seed);
          const auto g         = random_vector(n, seed + 100);
          const auto lower     = random_vector(n, seed + 200, -1., 0.);
          const auto upper     = random_vector(n, seed + 300, 0., 1.);
          const auto p         = minimise_in_box(A, g, lower, upper);
          for (std::size_t i = 0; i < n; ++i)
            {
              double r = g[i];
              for (std::size_t j = 0; j < n; ++j)
                r += A(i, j) * p[j];
              EXPECT_NEAR(p[i], std::clamp(p[i] - r, lower[i], upper[i]), 1e-7);
            }
        }
}

// -sum |lambda - t|^2 / 2 with a bend: the maximum is in closed form.
TEST(DualAscent, ElasticTerm)
{
  // lambda (t - lambda / 2) - c ((lambda / c - 1)^+)^2 / 2 has its maximum at t - lambda = (lambda
  // / c - 1)^+.
  const double c = 10.;
  for (const double t : {-3., 0., 2., 10., 50., 1e4})
    {
      const auto function = [t](const std::vector<double> &lambda) {
        DualValue at;
        at.value     = lambda[0] * (t - 0.5 * lambda[0]);
        at.gradient  = {t - lambda[0]};
        at.curvature = {{1.}};
        return at;
      };
      DualAscent settings;
      settings.penalty      = c;
      const auto maximum    = maximise_dual(settings, function, {1.}, {1.}, {1.});
      const double expected = t <= 0. ? 0. : t <= c ? t : (t + 1.) / (1. + 1. / c);
      EXPECT_TRUE(maximum.holds);
      EXPECT_NEAR(maximum.multipliers[0], expected, 1e-9 * (1. + expected));
      EXPECT_LE(maximum.passes, 10u);
    }
}

// Functions that are not finite end the search, and are not taken for a maximum.
TEST(DualAscent, NotANumber)
{
  const auto function = [](const std::vector<double> &lambda) {
    return DualValue{std::nan(""),
                     std::vector<double>(lambda.size(), std::nan("")),
                     {{1., 0., 1.}}};
  };
  const auto maximum = maximise_dual({}, function, {1., 2.}, {1., 1.}, {1., 1.});
  EXPECT_FALSE(maximum.holds);
  EXPECT_LE(maximum.passes, 2u);
}
} // namespace
} // namespace strut::test
