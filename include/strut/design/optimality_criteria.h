// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>
#include <strut/mesh/element_mesh.h>

#include <cmath>

namespace strut
{
/// The fixed-point update of the optimality criteria method (Bendsoe and Sigmund 2003, section
/// 1.2): `B_e = -dC_e / (lambda dV_e)`, `rho <- clip(rho B_e^eta, [rho - m, rho + m] and [rho_min,
/// 1])`.
struct OptimalityCriteria
{
  double move_limit      = 0.2; ///< m
  double damping         = 0.5; ///< eta
  double minimum_density = 1e-2;
  /// How near the multiplier brings the volume, relative. Where maps change densities it is 1e-9.
  double volume_tolerance = 1e-6;

  /// New density of one element. A sensitivity that is not negative drives the density down.
  STRUT_HOST_DEVICE double update(const double density,
                                  const double objective_sensitivity,
                                  const double volume_sensitivity,
                                  const double lambda,
                                  const DesignFlag flag) const
  {
    if (flag != DesignFlag::design)
      return density;
    const double lower =
      density - move_limit > minimum_density ? density - move_limit : minimum_density;
    const double upper = density + move_limit < 1. ? density + move_limit : 1.;
    const double b =
      objective_sensitivity < 0. ? -objective_sensitivity / (lambda * volume_sensitivity) : 0.;
    const double proposed = density * std::pow(b, damping);
    return proposed < lower ? lower : proposed > upper ? upper : proposed;
  }
};
} // namespace strut
