// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>
#include <strut/design/interpolation.h>
#include <strut/design/optimality_criteria.h>
#include <strut/optimization/maps/neighbourhood_mean.h>

#include <string>

namespace strut
{
/// Condition under which the optimization ends before its limit of iterations.
struct StoppingRule
{
  enum class Criterion
  {
    compliance_change, ///< |C_i - C_(i-1)| < tolerance, Ratnakar (2022); depends on the units
    relative_compliance_change, ///< |C_i - C_(i-1)| < tolerance |C_i|
    density_change,             ///< max_e |rho_e change| < tolerance
    kkt, ///< norm of the KKT residual < tolerance, for updates that compute it
    none ///< only the limit
  };

  Criterion criterion         = Criterion::density_change;
  double tolerance            = 1e-2;
  unsigned int max_iterations = 50;
  unsigned int n_designs      = 1; ///< consecutive designs that must meet the criterion
};

/// The settings of the user. Every design method uses the volume and the limit, and its own filter
/// the weights; interpolation, criteria and stopping rule are for SIMP alone.
struct OptimizationSettings
{
  double volume_fraction = 0.3;
  bool count_non_design  = true; ///< solid and void regions are part of the volume
  Interpolation interpolation;
  OptimalityCriteria criteria;
  /// Radius of the SensitivityFilter, length units of the mesh; 0 for none.
  double sensitivity_radius    = 0.;
  FilterWeights filter_weights = FilterWeights::volume;
  StoppingRule stopping;
  std::string update            = "optimality criteria"; ///< name in design_updates()
  ParameterValues update_values = {}; ///< parameters of the update that differ from their defaults
};
} // namespace strut
