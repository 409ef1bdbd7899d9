// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/design_operations.h>

namespace strut::cpu
{
/// DesignOperations with threads of the host.
class CpuDesignOperations : public DesignOperations
{
public:
  explicit CpuDesignOperations(const int n_threads) : n_threads_(n_threads)
  {}

  void interpolate(const Interpolation &interpolation,
                   const Array<double> &densities,
                   Array<double> &stiffness) const override;
  void add_sensitivities(const Interpolation &interpolation,
                         double weight,
                         const Array<double> &densities,
                         const Array<double> &energies,
                         Array<double> &sensitivities) const override;
  void
  project(const Projection &projection, const Array<double> &in, Array<double> &out) const override;
  void multiply_by_slope(const Projection &projection,
                         const Array<double> &at,
                         Array<double> &values) const override;
  double optimality_update(const OptimalityCriteria &criteria,
                           double lambda,
                           const Array<double> &densities,
                           const Array<double> &objective_sensitivities,
                           const Array<double> &volume_sensitivities,
                           const Array<DesignFlag> &flags,
                           Array<double> &new_densities) const override;

private:
  int n_threads_;
};
} // namespace strut::cpu
