// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cmath>
#include <vector>

namespace strut
{
/// A fixed number of steps `x <- x + b (x - before) + a B^-1 (f - A x)`.
struct ChebyshevSteps
{
  std::vector<double> a, b;
};

/// Chebyshev's iteration for eigenvalues from 1 to `largest` (Saad 2003, algorithm 12.1). It begins
/// with the right-hand side, whose error is at most `1 - 1 / eigenvalue`. The number of steps
/// brings the error of the solution below the tolerance.
inline ChebyshevSteps chebyshev_steps(const double largest, const double tolerance)
{
  ChebyshevSteps steps;
  const double reduction = (1. - 1. / largest) / tolerance;
  if (!(reduction > 1.))
    return steps;
  const double centre = (largest + 1.) / 2., half = (largest - 1.) / 2., sigma = centre / half;
  const double n = std::ceil(std::acosh(reduction) / std::acosh(sigma));
  double rho     = 1. / sigma;
  steps.a.push_back(1. / centre);
  steps.b.push_back(0.);
  for (int k = 1; k < n; ++k)
    {
      const double before = rho;
      rho                 = 1. / (2. * sigma - before);
      steps.a.push_back(2. * rho / half);
      steps.b.push_back(rho * before);
    }
  return steps;
}
} // namespace strut
