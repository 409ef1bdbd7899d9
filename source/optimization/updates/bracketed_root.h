// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cmath>

namespace strut
{
/// Finds a root of a monotone function between two points where it has different signs, in few
/// evaluations. The method is the Illinois variant of regula falsi (Dowell and Jarratt 1971), with
/// a bisection where two steps in a row did not halve the interval. Returns the last evaluated
/// point, where |f| <= tolerance or where the interval has shrunk to rounding.
template <typename Function>
double bracketed_root(
  double a, double f_a, double b, double f_b, const double tolerance, const Function &f)
{
  constexpr int max_evaluations = 200;
  double x                      = a;
  int slow                      = 0;
  int side                      = 0; // End that moved last: -1 for a, 1 for b.
  for (int i = 0; i < max_evaluations; ++i)
    {
      const double width = std::abs(b - a);
      const double lower = std::min(a, b), upper = std::max(a, b);
      x = slow < 2 ? (a * f_b - b * f_a) / (f_b - f_a) : 0.5 * (a + b);
      if (!(x > lower && x < upper))
        x = 0.5 * (a + b);
      const double f_x = f(x);
      if (std::abs(f_x) <= tolerance || width <= 1e-14 * std::max(1., std::abs(x)))
        break;
      if ((f_x < 0.) == (f_a < 0.))
        {
          a   = x;
          f_a = f_x;
          if (side == -1)
            f_b *= 0.5; // Otherwise b would never move.
          side = -1;
        }
      else
        {
          b   = x;
          f_b = f_x;
          if (side == 1)
            f_a *= 0.5;
          side = 1;
        }
      slow = std::abs(b - a) > 0.5 * width ? slow + 1 : 0;
    }
  return x;
}
} // namespace strut
