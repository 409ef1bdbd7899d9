// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

#include <cmath>
#include <cstdint>

namespace strut
{
/// The density y of a point as a function of x, the density that the design asks for, and of the
/// densities `xi_k` of the layer before it.
struct LayerRule
{
  enum class Kind : std::uint8_t
  {
    at_most, ///< printing: at most as dense as the material that carries it
    at_least ///< casting: at least as dense as the material that covers it
  };

  /// The two relations. at_most is the filter of Langelaar (2016, 2017): a smooth minimum of x and
  /// of a smooth maximum s,
  ///
  ///     s = min(1, (sum_k (xi_k + shift)^P)^(1/Q) - back)
  ///     y = (x + s - sqrt((x - s)^2 + epsilon) + sqrt(epsilon)) / 2.
  ///
  /// The smooth maximum overshoots where several xi_k are near 1, and y with it. With s limited to
  /// 1, y is at most 1, too.
  ///
  /// at_least, with a_k for x and all xi_k, n in all, and the largest of them a, is
  ///
  ///     y = a + log(1/n sum_k exp(P (a_k - a))) / P.
  ///
  /// It equals v where all are v. It is at most log(n) / P less than the largest, and rises with
  /// each of them.
  Kind kind      = Kind::at_most;
  double P       = 40.;
  double Q       = 40.;
  double epsilon = 1e-4;
  double shift   = 0.; ///< keeps the derivative finite where all xi_k are 0
  double back    = 0.;

  /// Returns s of at_most from the sum of the powers.
  STRUT_HOST_DEVICE double support(const double sum) const
  {
    const double s = std::pow(sum, 1. / Q) - back;
    return s < 1. ? s : 1.;
  }
  STRUT_HOST_DEVICE double summand(const double xi) const
  {
    return std::pow(xi + shift, P);
  }
  STRUT_HOST_DEVICE double minimum(const double x, const double s) const
  {
    return 0.5 * (x + s - std::sqrt((x - s) * (x - s) + epsilon) + std::sqrt(epsilon));
  }

  /// Returns dy/dx of at_most; dy/ds is 1 minus it.
  STRUT_HOST_DEVICE double slope_by_variable(const double x, const double s) const
  {
    return 0.5 * (1. - (x - s) / std::sqrt((x - s) * (x - s) + epsilon));
  }
  /// The derivatives of s by the sum of the powers, and of that sum by one xi_k.
  STRUT_HOST_DEVICE double slope_of_support(const double sum) const
  {
    return support(sum) < 1. ? std::pow(sum, 1. / Q - 1.) / Q : 0.;
  }
  STRUT_HOST_DEVICE double slope_of_summand(const double xi) const
  {
    return P * std::pow(xi + shift, P - 1.);
  }

  /// Returns the summand of one value for at_least, relative to the largest value, so that no power
  /// overflows.
  STRUT_HOST_DEVICE double weight(const double value, const double largest) const
  {
    return std::exp(P * (value - largest));
  }
  STRUT_HOST_DEVICE double logarithm(const double weights) const
  {
    return std::log(weights) / P;
  }
};
} // namespace strut
