// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

#include <cmath>

namespace strut
{
/// The terms of a P-norm of relaxed stresses `s = rho^q vM` (Le, Norato, Bruns, Ha and Tortorelli
/// 2010).
struct StressNorm
{
  double exponent   = 8.;  ///< P
  double relaxation = 0.5; ///< q

  STRUT_HOST_DEVICE double relaxed(const double density, const double stress) const
  {
    return std::pow(density, relaxation) * stress;
  }
};
} // namespace strut
