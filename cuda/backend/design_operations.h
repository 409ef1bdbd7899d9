// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../base/context.h"

#include <strut/backend/design_operations.h>

namespace strut::cuda
{
/// DesignOperations on one device.
class CudaDesignOperations : public DesignOperations
{
public:
  explicit CudaDesignOperations(const Context &context) : context_(context)
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
  const Context &context_;
};
} // namespace strut::cuda
