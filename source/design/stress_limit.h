// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// A limit of the von Mises stress of one element, as a term of the augmented Lagrangian function
/// (Senhora, Giraldo-Londono, Menezes and Paulino 2020):
///
///     phi = lambda h + mu/2 h^2,  h = max(g, -lambda / mu),  g = E (L^3 + L),  L = vM / limit - 1,
///
/// with the stiffness factor E of the element, the stress vM of the solid and the multiplier
/// lambda. `g <= 0` holds where the stress is below the limit, and in void, where E = 0, for any
/// stress. The derivative of phi by g is continuous: `max(0, lambda + mu g)`.
struct StressLimit
{
  double limit   = 1.;  ///< force per area
  double penalty = 10.; ///< mu

  /// Returns g, which vanishes with the stiffness.
  STRUT_HOST_DEVICE double constraint(const double stiffness, const double stress) const
  {
    return stiffness * excess(stress);
  }

  /// Returns L^3 + L, which is dg/dE.
  STRUT_HOST_DEVICE double excess(const double stress) const
  {
    const double L = stress / limit - 1.;
    return L * (L * L + 1.);
  }

  /// Returns dg/dvM divided by the stiffness.
  STRUT_HOST_DEVICE double slope(const double stress) const
  {
    const double L = stress / limit - 1.;
    return (3. * L * L + 1.) / limit;
  }

  /// Returns phi.
  STRUT_HOST_DEVICE double term(const double constraint, const double multiplier) const
  {
    const double h = constraint > -multiplier / penalty ? constraint : -multiplier / penalty;
    return h * (multiplier + 0.5 * penalty * h);
  }

  /// Returns the renewed multiplier: next_multiplier() with two safeguards, so that a design far
  /// from the limit leaves no lasting multiplier. g is limited to `most`. The multiplier is 0 where
  /// the stress of the solid is below half of the limit.
  STRUT_HOST_DEVICE double
  renewed_multiplier(const double stiffness, const double stress, const double multiplier) const
  {
    constexpr double most = 1e3;
    if (stress < 0.5 * limit)
      return 0.;
    const double g = constraint(stiffness, stress);
    return next_multiplier(g < most ? g : most, multiplier);
  }

  /// Returns dphi/dg = lambda + mu h, which is also the next multiplier.
  STRUT_HOST_DEVICE double next_multiplier(const double constraint, const double multiplier) const
  {
    const double next = multiplier + penalty * constraint;
    return next > 0. ? next : 0.;
  }
};
} // namespace strut
