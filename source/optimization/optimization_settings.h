// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>
#include <strut/design/interpolation.h>
#include <strut/design/optimality_criteria.h>

#include <string>

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
    kkt,                        ///< norm of the KKT residual < tolerance, of updates that have it
    none                        ///< only the limit
  };

  Criterion criterion         = Criterion::density_change;
  double tolerance            = 1e-2;
  unsigned int max_iterations = 50;
  unsigned int n_designs      = 1; ///< in a row that must meet the criterion
};

/// The wishes of the user. Every design method has volume and limit; interpolation, criteria and
/// stopping rule are those of SIMP.
struct OptimizationSettings
{
  double volume_fraction = 0.3;
  bool count_non_design  = true; ///< solid and void regions are part of the volume
  Interpolation interpolation;
  OptimalityCriteria criteria;
  double sensitivity_radius = 0.; ///< of the SensitivityFilter, length units of the mesh; 0: none
  StoppingRule stopping;
  std::string update            = "optimality criteria"; ///< of design_updates()
  ParameterValues update_values = {}; ///< of its parameters that differ from their defaults
};
} // namespace strut
