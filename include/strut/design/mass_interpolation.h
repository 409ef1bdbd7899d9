// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// Mass factor of an element as a function of its density.
///
/// Linear: `m(rho) = rho`. With a soft end, below 0.1: `m(rho) = 6e5 rho^6 - 5e6 rho^7`, which meets rho at 0.1 in value and
/// slope (Du and Olhoff 2007): mass falls faster than the stiffness rho^3, so that no mode lives in void alone.
struct MassInterpolation
{
  bool soft_end = true;

  STRUT_HOST_DEVICE double mass(const double density) const
  {
    if (!soft_end || density >= 0.1)
      return density;
    const double square = density * density;
    return square * square * square * (6e5 - 5e6 * density);
  }

  /// dm/drho
  STRUT_HOST_DEVICE double derivative(const double density) const
  {
    if (!soft_end || density >= 0.1)
      return 1.;
    const double square = density * density;
    return square * square * density * (36e5 - 35e6 * density);
  }
};
} // namespace strut
