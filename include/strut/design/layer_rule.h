// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

#include <cmath>
#include <cstdint>

namespace strut
{
/// How the density y of a place follows from that which the design asks for, x, and from densities of the layer before it, `xi_k`.
struct LayerRule
{
  enum class Kind : std::uint8_t
  {
    at_most, ///< printing: no denser than what carries it
    at_least ///< casting: as dense as what covers it
  };

  /// at_most, the filter of Langelaar (2016, 2017): a smooth minimum of x and of a smooth maximum s,
  ///
  ///     s = min(1, (sum_k (xi_k + shift)^P)^(1/Q) - back),   y = (x + s - sqrt((x - s)^2 + epsilon) + sqrt(epsilon)) / 2
  ///
  /// The smooth maximum overshoots where several xi_k are near 1, and with it y; with s up to 1, y is at most 1, too.
  ///
  /// at_least, with a_k for x and all xi_k, n in all, and the largest of them a:
  ///
  ///     y = a + log(1/n sum_k exp(P (a_k - a))) / P,
  ///
  /// which is v where all are v, at most log(n) / P less than the largest, and rises with each of them.
  Kind kind      = Kind::at_most;
  double P       = 40.;
  double Q       = 40.;
  double epsilon = 1e-4;
  double shift   = 0.; ///< keeps the derivative where all xi_k are 0
  double back    = 0.;

  /// at_most, from the sum of the powers.
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

  /// dy/dx; that by s is 1 minus it.
  STRUT_HOST_DEVICE double slope_by_variable(const double x, const double s) const
  {
    return 0.5 * (1. - (x - s) / std::sqrt((x - s) * (x - s) + epsilon));
  }
  /// ds by the sum of the powers, and that by one xi_k.
  STRUT_HOST_DEVICE double slope_of_support(const double sum) const
  {
    return support(sum) < 1. ? std::pow(sum, 1. / Q - 1.) / Q : 0.;
  }
  STRUT_HOST_DEVICE double slope_of_summand(const double xi) const
  {
    return P * std::pow(xi + shift, P - 1.);
  }

  /// at_least: of one value, relative to the largest, so that no power overflows.
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
