// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/solvers/chebyshev.h>

namespace strut
{
PolynomialSmoother
PolynomialSmoother::chebyshev(const unsigned int degree, const double bound, const double range)
{
  const double theta = 0.5 * (bound + bound / range), delta = 0.5 * (bound - bound / range);
  const double sigma = theta / delta;
  PolynomialSmoother smoother;
  double rho = 1. / sigma;
  for (unsigned int k = 0; k < degree; ++k)
    if (k == 0)
      {
        smoother.a.push_back(1. / theta);
        smoother.b.push_back(0.);
      }
    else
      {
        const double next = 1. / (2. * sigma - rho);
        smoother.a.push_back(2. * next / delta);
        smoother.b.push_back(next * rho);
        rho = next;
      }
  return smoother;
}

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
} // namespace strut
