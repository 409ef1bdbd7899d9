// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut
{
/// When the optimization ends before its limit of iterations.
struct StoppingRule
{
  enum class Criterion
  {
    compliance_change, ///< |C_i - C_(i-1)| < tolerance, Ratnakar (2022); depends on the units
    relative_compliance_change, ///< |C_i - C_(i-1)| < tolerance |C_i|
    density_change,             ///< max_e |rho_e change| < tolerance
    none                        ///< only the limit
  };

  Criterion criterion         = Criterion::density_change;
  double tolerance            = 1e-2;
  unsigned int max_iterations = 50;
};
} // namespace strut
