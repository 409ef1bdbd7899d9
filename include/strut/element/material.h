// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// Isotropic linear elasticity.
struct Material
{
  double youngs_modulus = 1.;  ///< E, force per area
  double poisson_ratio  = 0.3; ///< nu, in (-1, 0.5)

  /// @param lambda,mu  Lame's parameters, as step-8 of deal.II has them
  static constexpr Material from_lame(const double lambda, const double mu)
  {
    return {mu * (3. * lambda + 2. * mu) / (lambda + mu), lambda / (2. * (lambda + mu))};
  }

  /// First Lame parameter.
  STRUT_HOST_DEVICE double lambda() const
  {
    return youngs_modulus * poisson_ratio / ((1. + poisson_ratio) * (1. - 2. * poisson_ratio));
  }

  /// Shear modulus.
  STRUT_HOST_DEVICE double mu() const
  {
    return youngs_modulus / (2. * (1. + poisson_ratio));
  }
};
} // namespace strut
