// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

#include <cmath>

namespace strut
{
/// The distance of the asymptotes from a design variable (Svanberg 1987). The constants are those
/// of his note "MMA and GCMMA - two methods for nonlinear optimization" (2007). Both asymptotes
/// have the same distance d, since they start with the same one and get the same factors and
/// bounds: `L = x - d`, `U = x + d`. Lengths are in units of the range of the variables.
struct AsymptoteRule
{
  double initial  = 0.5;
  double increase = 1.2; ///< factor where the last two steps have the same sign
  double decrease = 0.7; ///< factor where they differ: the variable oscillates
  double least    = 0.01;
  double largest  = 10.;

  /// Returns the next distance.
  ///
  /// @param product  product of the signs of the last two steps
  STRUT_HOST_DEVICE double next(const double distance, const double range, const int product) const
  {
    const double d     = distance * (product > 0 ? increase : product < 0 ? decrease : 1.);
    const double lower = least * range, upper = largest * range;
    return d < lower ? lower : d > upper ? upper : d;
  }
};

/// The range of the design variables in one step.
struct StepBounds
{
  double lower      = 0.;
  double upper      = 1.;
  double move_limit = 0.2;

  STRUT_HOST_DEVICE double clip(const double x) const
  {
    return x < lower ? lower : x > upper ? upper : x;
  }
};

/// One variable in the approximations of all functions. With `s = (x - x_k) / d` the approximation
/// of function i is
///
///     f_i(x_k) + sum_e [p_ie / (U_e - x_e) + q_ie / (x_e - L_e)] - the same at x_k
///       = f_i(x_k) + sum_e d s (g_i + s k_i) / (1 - s^2),
///     g_i = df_i/dx_e,   k_i = 1.002 |g_i| + 2 rho_i / range,
///
/// where `p_i = d^2 (1.001 g_i^+ + 0.001 g_i^- + rho_i / range)` and q_i has the signs exchanged.
/// In this form nothing cancels. The g and k of a Lagrange function are the sums of these with the
/// multipliers. Its minimum is at `s = (sqrt(q) - sqrt(p)) / (sqrt(q) + sqrt(p)) = -g / (k +
/// sqrt(k^2 - g^2))`.
struct ApproximatedVariable
{
  double x; ///< x_k, within the bounds
  double d;
  double low, high; ///< bounds of s

  /// The largest step as a fraction of the distance to an asymptote: 1 - albefa in Svanberg's
  /// notation.
  static constexpr double reach = 0.9;

  /// @param design  x_k; a value out of the bounds is replaced by the nearest bound
  STRUT_HOST_DEVICE
  ApproximatedVariable(const StepBounds &bounds, const double design, const double distance)
    : x(bounds.clip(design)), d(distance)
  {
    const double by_d = 1. / d;
    const double move = bounds.move_limit * by_d < reach ? bounds.move_limit * by_d : reach;
    const double down = (x - bounds.lower) * by_d, up = (bounds.upper - x) * by_d;
    low  = down < move ? -down : -move;
    high = up < move ? up : move;
  }

  /// Returns k_i.
  ///
  /// @param convexity  rho_i / range
  STRUT_HOST_DEVICE static double curvature(const double g, const double convexity)
  {
    return 1.002 * std::fabs(g) + 2. * convexity;
  }

  /// Returns the minimiser s of the Lagrange function.
  STRUT_HOST_DEVICE double minimiser(const double g, const double k) const
  {
    if (!(k > 0.))
      return 0.;
    const double s = -g / (k + std::sqrt((k - g) * (k + g)));
    return s < low ? low : s > high ? high : s;
  }

  /// Half of this variable's second derivative of the dual for unit slopes(); 0 at a bound of s.
  STRUT_HOST_DEVICE double weight(const double s, const double g, const double k) const
  {
    if (!(s > low && s < high && k > 0.))
      return 0.;
    const double s2 = s * s;
    return d / (2. * (1. - s2) * (k * (1. + 3. * s2) + g * s * (3. + s2)));
  }

  /// `d s / (1 - s^2)`: the change of a function is this times `g_i + s k_i`.
  STRUT_HOST_DEVICE double factor(const double s) const
  {
    return d * s / (1. - s * s);
  }

  /// The derivative of a function's approximation by s, divided by `d / (1 - s^2)^2`.
  STRUT_HOST_DEVICE static double slope(const double s, const double g, const double k)
  {
    return g * (1. + s * s) + 2. * s * k;
  }

  /// The variable at s. It is exactly a bound if the bound limits the step.
  STRUT_HOST_DEVICE double at(const StepBounds &bounds, const double s) const
  {
    if (s <= low && x - bounds.lower <= bounds.move_limit && x - bounds.lower <= reach * d)
      return bounds.lower;
    if (s >= high && bounds.upper - x <= bounds.move_limit && bounds.upper - x <= reach * d)
      return bounds.upper;
    return bounds.clip(x + d * s);
  }
};
} // namespace strut
