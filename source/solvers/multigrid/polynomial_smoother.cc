// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/polynomial_smoother.h"

#include <cmath>

namespace strut
{
PolynomialSmoother PolynomialSmoother::chebyshev_fourth_kind(const unsigned int degree,
                                                             const double bound)
{
  PolynomialSmoother smoother;
  for (unsigned int k = 0; k < degree; ++k)
    {
      smoother.a.push_back((8. * k + 4.) / (2. * k + 3.) / bound);
      smoother.b.push_back(k == 0 ? 0. : (2. * k - 1.) / (2. * k + 3.));
    }
  return smoother;
}

double PolynomialSmoother::tolerated_excess(const unsigned int degree)
{
  const double n = 2. * degree + 1.;
  double below = 0., above = 2.; // Bounds of s; the polynomial grows with s.
  for (int halving = 0; halving < 50; ++halving)
    {
      const double s                                        = 0.5 * (below + above);
      (std::cosh(n * s) < n * std::cosh(s) ? below : above) = s;
    }
  return std::cosh(below) * std::cosh(below);
}

PolynomialSmoother PolynomialSmoother::damped(const unsigned int degree, const double damping)
{
  return {std::vector<double>(degree, damping), std::vector<double>(degree, 0.)};
}
} // namespace strut
