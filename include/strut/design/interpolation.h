// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

#include <cmath>

namespace strut
{
/// Stiffness factor of an element as a function of its density.
///
/// SIMP: `E(rho) = rho^p`, with the density bounded below (Bendsoe 1989); modified SIMP:
/// `E(rho) = Emin + rho^p (1 - Emin)` (Sigmund 2007). Both are the second formula; plain SIMP has
/// Emin = 0.
struct Interpolation
{
  double penalization      = 3.;
  double minimum_stiffness = 0.; ///< Emin, relative to the stiffness of the solid

  /// Whether an element of density 0 has no stiffness at all, so that it is outside of the
  /// structure.
  bool excludes_void = false;

  STRUT_HOST_DEVICE double stiffness(const double density) const
  {
    if (excludes_void && density == 0.)
      return 0.;
    return minimum_stiffness + std::pow(density, penalization) * (1. - minimum_stiffness);
  }

  /// dE/drho
  STRUT_HOST_DEVICE double derivative(const double density) const
  {
    return penalization * std::pow(density, penalization - 1.) * (1. - minimum_stiffness);
  }
};
} // namespace strut
