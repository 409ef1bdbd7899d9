// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "design_operations.h"

#include "../base/parallel_loop.h"

namespace strut::cpu
{
void CpuDesignOperations::interpolate(const Interpolation &interpolation,
                                      const Array<double> &densities,
                                      Array<double> &stiffness) const
{
  const double *const rho = densities.data();
  double *const out       = stiffness.data();
  parallel_for(n_threads_, densities.size(), [=](const std::size_t e) {
    out[e] = interpolation.stiffness(rho[e]);
  });
}

void CpuDesignOperations::add_sensitivities(const Interpolation &interpolation,
                                            const double weight,
                                            const Array<double> &densities,
                                            const Array<double> &energies,
                                            Array<double> &sensitivities) const
{
  const double *const rho = densities.data();
  const double *const c   = energies.data();
  double *const out       = sensitivities.data();
  parallel_for(n_threads_, densities.size(), [=](const std::size_t e) {
    out[e] -= weight * interpolation.derivative(rho[e]) * c[e];
  });
}

void CpuDesignOperations::project(const Projection &projection,
                                  const Array<double> &in,
                                  Array<double> &out) const
{
  const double *const from = in.data();
  double *const to         = out.data();
  parallel_for(n_threads_, in.size(), [=](const std::size_t e) {
    to[e] = projection.value(from[e]);
  });
}

void CpuDesignOperations::multiply_by_slope(const Projection &projection,
                                            const Array<double> &at,
                                            Array<double> &values) const
{
  const double *const x = at.data();
  double *const out     = values.data();
  parallel_for(n_threads_, at.size(), [=](const std::size_t e) {
    out[e] *= projection.derivative(x[e]);
  });
}

double CpuDesignOperations::optimality_update(const OptimalityCriteria &criteria,
                                              const double lambda,
                                              const Array<double> &densities,
                                              const Array<double> &objective_sensitivities,
                                              const Array<double> &volume_sensitivities,
                                              const Array<DesignFlag> &flags,
                                              Array<double> &new_densities) const
{
  const double *const rho      = densities.data();
  const double *const dc       = objective_sensitivities.data();
  const double *const dv       = volume_sensitivities.data();
  const DesignFlag *const flag = flags.data();
  double *const out            = new_densities.data();
  return parallel_sum(n_threads_, densities.size(), [=](const std::size_t e) {
    out[e] = criteria.update(rho[e], dc[e], dv[e], lambda, flag[e]);
    return dv[e] * out[e];
  });
}
} // namespace strut::cpu
