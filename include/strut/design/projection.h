// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

#include <cmath>

namespace strut
{
/// A smooth step that drives densities towards their bounds (Wang, Lazarov and Sigmund 2011):
///
///     P(t) = (tanh(beta eta) + tanh(beta (t - eta))) / (tanh(beta eta) + tanh(beta (1 - eta)))
///
/// with `t = (x - minimum) / (1 - minimum)`. It keeps the minimum and 1, and rises strictly.
struct Projection
{
  double threshold = 0.5; ///< eta
  double sharpness = 1.;  ///< beta
  double minimum   = 0.;  ///< lower bound of the densities

  STRUT_HOST_DEVICE double value(const double x) const
  {
    const double below = std::tanh(sharpness * threshold);
    const double above = std::tanh(sharpness * (1. - threshold));
    const double t     = (x - minimum) / (1. - minimum);
    const double P     = (below + std::tanh(sharpness * (t - threshold))) / (below + above);
    return minimum + (1. - minimum) * P;
  }

  /// Returns dP/dt, which is also the slope of value().
  STRUT_HOST_DEVICE double derivative(const double x) const
  {
    const double below = std::tanh(sharpness * threshold);
    const double above = std::tanh(sharpness * (1. - threshold));
    const double t     = (x - minimum) / (1. - minimum);
    const double at    = std::tanh(sharpness * (t - threshold));
    return sharpness * (1. - at * at) / (below + above);
  }
};
} // namespace strut
