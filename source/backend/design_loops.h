// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/design_operations.h>
#include <strut/base/host_device.h>

namespace strut
{
/// DesignOperations for both backends.
/// @tparam Loops  as in VectorLoops
template <typename Loops>
class DesignLoops : public DesignOperations
{
public:
  explicit DesignLoops(const Loops &loops) : loops_(loops)
  {}

  void interpolate(const Interpolation &interpolation,
                   const Array<double> &densities,
                   Array<double> &stiffness) const override
  {
    const double *const rho = densities.data();
    double *const out       = stiffness.data();
    loops_.for_each(densities.size(), [=] STRUT_BODY(const std::size_t e) {
      out[e] = interpolation.stiffness(rho[e]);
    });
  }

  void add_sensitivities(const Interpolation &interpolation,
                         const double weight,
                         const Array<double> &densities,
                         const Array<double> &energies,
                         Array<double> &sensitivities) const override
  {
    const double *const rho = densities.data();
    const double *const c   = energies.data();
    double *const out       = sensitivities.data();
    loops_.for_each(densities.size(), [=] STRUT_BODY(const std::size_t e) {
      out[e] -= weight * interpolation.derivative(rho[e]) * c[e];
    });
  }

  void
  project(const Projection &projection, const Array<double> &in, Array<double> &out) const override
  {
    const double *const from = in.data();
    double *const to         = out.data();
    loops_.for_each(in.size(),
                    [=] STRUT_BODY(const std::size_t e) { to[e] = projection.value(from[e]); });
  }

  void multiply_by_slope(const Projection &projection,
                         const Array<double> &at,
                         Array<double> &values) const override
  {
    const double *const x = at.data();
    double *const out     = values.data();
    loops_.for_each(at.size(),
                    [=] STRUT_BODY(const std::size_t e) { out[e] *= projection.derivative(x[e]); });
  }

  double optimality_update(const OptimalityCriteria &criteria,
                           const double lambda,
                           const Array<double> &densities,
                           const Array<double> &objective_sensitivities,
                           const Array<double> &volume_sensitivities,
                           const Array<DesignFlag> &flags,
                           Array<double> &new_densities) const override
  {
    const double *const rho      = densities.data();
    const double *const dc       = objective_sensitivities.data();
    const double *const dv       = volume_sensitivities.data();
    const DesignFlag *const flag = flags.data();
    double *const out            = new_densities.data();
    return loops_.sum(densities.size(), [=] STRUT_BODY(const std::size_t e) {
      out[e] = criteria.update(rho[e], dc[e], dv[e], lambda, flag[e]);
      return dv[e] * out[e];
    });
  }

private:
  const Loops loops_;
};
} // namespace strut
