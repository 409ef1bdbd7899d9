// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>
#include <strut/design/interpolation.h>

namespace strut
{
/// Mass factor of an element as a function of its density.
///
/// Linear: `m(rho) = rho`. With a soft end, below 0.1: `m(rho) = s rho + (1 - s) E(rho)` with the
/// stiffness factor E and `s = 6e5 rho^5 - 5e6 rho^6`. It meets rho at 0.1 in value and slope.
/// `s rho` is the mass of Du and Olhoff (2007), which prevents modes that are local to void. Where
/// E <= rho, as for exponents from 1 on, m never falls below E. Otherwise void would vibrate faster
/// than the solid.
struct MassInterpolation
{
  bool soft_end = true;
  Interpolation stiffness;

  STRUT_HOST_DEVICE double mass(const double density) const
  {
    if (!soft_end || density >= 0.1)
      return density;
    const double s = share(density);
    return s * density + (1. - s) * stiffness.stiffness(density);
  }

  /// dm/drho
  STRUT_HOST_DEVICE double derivative(const double density) const
  {
    if (!soft_end || density >= 0.1)
      return 1.;
    const double square = density * density, s = share(density);
    const double slope_of_s = square * square * (30e5 - 30e6 * density);
    return slope_of_s * (density - stiffness.stiffness(density)) + s +
           (1. - s) * stiffness.derivative(density);
  }

private:
  STRUT_HOST_DEVICE static double share(const double density)
  {
    const double square = density * density;
    return square * square * density * (6e5 - 5e6 * density);
  }
};
} // namespace strut
