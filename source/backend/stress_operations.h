// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/design/stress_limit.h"
#include "source/design/stress_norm.h"

#include <strut/base/array.h>

namespace strut
{
/// Functions of the stresses of elements, and their derivatives, on one rank of one backend. All
/// arrays are `[n_elements]` on the backend:
/// - the weight w of an element, 0 where its stress does not count;
/// - its density rho and its stiffness factor E;
/// - the von Mises stress vM of the solid at its centre (ElementStress).
///
/// Sums are those of this rank, with the same bits in every run.
class StressOperations
{
public:
  virtual ~StressOperations() = default;

  /// Returns max_e s_e over the elements with a nonzero weight; 0 if there are none.
  virtual double largest(const StressNorm &norm,
                         const Array<double> &weights,
                         const Array<double> &densities,
                         const Array<double> &stresses) const = 0;

  /// Returns sum_e w_e (s_e / unit)^P.
  virtual double sum_of_powers(const StressNorm &norm,
                               double unit,
                               const Array<double> &weights,
                               const Array<double> &densities,
                               const Array<double> &stresses) const = 0;

  /// Computes the derivatives of `R = factor (sum_e w_e s_e^P)^(1/P)`.
  ///
  /// @param value  R / factor
  /// @param stresses  vM_e; become dR/dvM_e
  /// @param by_density  becomes dR/drho_e at fixed vM_e
  virtual void norm_slopes(const StressNorm &norm,
                           double factor,
                           double value,
                           const Array<double> &weights,
                           const Array<double> &densities,
                           Array<double> &stresses,
                           Array<double> &by_density) const = 0;

  /// Returns sum_e w_e phi_e.
  virtual double limit_terms(const StressLimit &limit,
                             const Array<double> &weights,
                             const Array<double> &stiffness,
                             const Array<double> &stresses,
                             const Array<double> &multipliers) const = 0;

  /// Computes the derivatives of `R = factor sum_e w_e phi_e`.
  ///
  /// @param stresses  vM_e; become dR/dvM_e
  /// @param decrease  becomes -dR/dE_e at fixed vM_e
  virtual void limit_slopes(const StressLimit &limit,
                            double factor,
                            const Array<double> &weights,
                            const Array<double> &stiffness,
                            const Array<double> &multipliers,
                            Array<double> &stresses,
                            Array<double> &decrease) const = 0;

  /// Sets lambda_e = max(0, lambda_e + mu g_e).
  virtual void renew_multipliers(const StressLimit &limit,
                                 const Array<double> &stiffness,
                                 const Array<double> &stresses,
                                 Array<double> &multipliers) const = 0;
};
} // namespace strut
