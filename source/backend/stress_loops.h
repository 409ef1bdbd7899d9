// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/stress_operations.h"

#include <strut/base/host_device.h>

#include <cmath>

namespace strut
{
/// StressOperations for both backends. A thread per element reads and writes the entries of its own
/// element: 8 bytes per array, and up to three powers. No atomics; sums in the order of the loops,
/// the same bits in every run.
///
/// @tparam Loops  see VectorLoops
template <typename Loops>
class StressLoops : public StressOperations
{
public:
  explicit StressLoops(const Loops &loops) : loops_(loops)
  {}

  double largest(const StressNorm &norm,
                 const Array<double> &weights,
                 const Array<double> &densities,
                 const Array<double> &stresses) const override
  {
    const double *const w   = weights.data();
    const double *const rho = densities.data();
    const double *const vM  = stresses.data();
    return loops_.maximum(weights.size(), [=] STRUT_BODY(const std::size_t e) {
      return w[e] > 0. ? norm.relaxed(rho[e], vM[e]) : 0.;
    });
  }

  double sum_of_powers(const StressNorm &norm,
                       const double unit,
                       const Array<double> &weights,
                       const Array<double> &densities,
                       const Array<double> &stresses) const override
  {
    const double *const w   = weights.data();
    const double *const rho = densities.data();
    const double *const vM  = stresses.data();
    return loops_.sum(weights.size(), [=] STRUT_BODY(const std::size_t e) {
      return w[e] > 0. ? w[e] * std::pow(norm.relaxed(rho[e], vM[e]) / unit, norm.exponent) : 0.;
    });
  }

  void norm_slopes(const StressNorm &norm,
                   const double factor,
                   const double value,
                   const Array<double> &weights,
                   const Array<double> &densities,
                   Array<double> &stresses,
                   Array<double> &by_density) const override
  {
    // dR/ds_e = factor w_e (s_e / R)^(P - 1), then by the stress and by rho_e^q
    const double *const w   = weights.data();
    const double *const rho = densities.data();
    double *const vM        = stresses.data();
    double *const by_rho    = by_density.data();
    loops_.for_each(weights.size(), [=] STRUT_BODY(const std::size_t e) {
      const double s     = w[e] > 0. ? norm.relaxed(rho[e], vM[e]) : 0.;
      const double by_s  = s > 0. ? factor * w[e] * std::pow(s / value, norm.exponent - 1.) : 0.;
      const double by_vM = s > 0. ? by_s * s / vM[e] : 0.;
      by_rho[e]          = s > 0. && rho[e] > 0. ? by_s * norm.relaxation * s / rho[e] : 0.;
      vM[e]              = by_vM;
    });
  }

  double limit_terms(const StressLimit &limit,
                     const Array<double> &weights,
                     const Array<double> &stiffness,
                     const Array<double> &stresses,
                     const Array<double> &multipliers) const override
  {
    const double *const w      = weights.data();
    const double *const E      = stiffness.data();
    const double *const vM     = stresses.data();
    const double *const lambda = multipliers.data();
    return loops_.sum(weights.size(), [=] STRUT_BODY(const std::size_t e) {
      return w[e] > 0. ? w[e] * limit.term(limit.constraint(E[e], vM[e]), lambda[e]) : 0.;
    });
  }

  void limit_slopes(const StressLimit &limit,
                    const double factor,
                    const Array<double> &weights,
                    const Array<double> &stiffness,
                    const Array<double> &multipliers,
                    Array<double> &stresses,
                    Array<double> &decrease) const override
  {
    const double *const w      = weights.data();
    const double *const E      = stiffness.data();
    const double *const lambda = multipliers.data();
    double *const vM           = stresses.data();
    double *const less         = decrease.data();
    loops_.for_each(weights.size(), [=] STRUT_BODY(const std::size_t e) {
      const double stress = vM[e];
      const double by_g =
        w[e] > 0. ? factor * w[e] * limit.next_multiplier(limit.constraint(E[e], stress), lambda[e])
                  : 0.;
      less[e] = -by_g * limit.excess(stress);
      vM[e]   = by_g * E[e] * limit.slope(stress);
    });
  }

  void renew_multipliers(const StressLimit &limit,
                         const Array<double> &stiffness,
                         const Array<double> &stresses,
                         Array<double> &multipliers) const override
  {
    const double *const E  = stiffness.data();
    const double *const vM = stresses.data();
    double *const lambda   = multipliers.data();
    loops_.for_each(multipliers.size(), [=] STRUT_BODY(const std::size_t e) {
      lambda[e] = limit.renewed_multiplier(E[e], vM[e], lambda[e]);
    });
  }

private:
  const Loops loops_;
};
} // namespace strut
