// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/design/moving_asymptotes.h"

#include <strut/base/array.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The separable convex approximations of an objective and m constraints around a design: see
/// ApproximatedVariable. All arrays are `[n_elements]` on the backend.
struct MmaApproximation
{
  const Array<double> &x; ///< the design
  const Array<double> &distances;
  const Array<DesignFlag> &flags; ///< elements that are no design elements are left out
  StepBounds bounds;
  /// Derivatives of the objective, then of the constraints.
  std::vector<const Array<double> *> derivatives;
  std::vector<double> convexities; ///< rho_i / (upper - lower), in the same order

  std::size_t n_constraints() const
  {
    return derivatives.size() - 1;
  }
};

/// The element-wise work of the method of moving asymptotes, on one rank of one backend. Sums are
/// those of this rank, with the same bits in every run.
///
/// Multipliers are `[m + 1]`, the first one that of the objective, 1.
class MmaOperations
{
public:
  virtual ~MmaOperations() = default;

  /// Number of constraints that one pass over the elements can handle. More constraints need about
  /// (m / 8)^2 / 2 passes.
  static constexpr std::size_t tile = 8;
  /// The most functions, objective and constraints together: their addresses are arguments of a
  /// kernel.
  static constexpr std::size_t max_functions = 128;

  static std::size_t n_pairs(const std::size_t m)
  {
    return m * (m + 1) / 2;
  }

  /// Updates the distances of the asymptotes for the step that starts at x.
  ///
  /// @param is_first  first step: sets the initial distances
  /// @param old  the previous design; becomes x
  /// @param signs  signs of the last step, -1, 0 or 1; overwritten
  virtual void update_distances(const AsymptoteRule &rule,
                                double range,
                                bool is_first,
                                const Array<double> &x,
                                const Array<DesignFlag> &flags,
                                Array<double> &old,
                                Array<std::int8_t> &signs,
                                Array<double> &distances) const = 0;

  /// Returns sum_e |df_i/dx_e| over the design elements, `[m + 1]`.
  virtual std::vector<double>
  derivative_sizes(const std::vector<const Array<double> *> &derivatives,
                   const Array<DesignFlag> &flags) const = 0;

  /// Returns how far x is from a stationary point of the Lagrange function: `sum_e r_e^2` over the
  /// design elements, with `r_e = x_e - clip(x_e - scale g_e)` and `g = sum_i lambda_i df_i/dx`.
  virtual double stationarity(const MmaApproximation &approximation,
                              const std::vector<double> &multipliers,
                              double scale) const = 0;

  /// Evaluates the dual. `s(lambda)` is the minimiser of the Lagrange function; with it
  ///
  ///     changes_i  = sum_e d s (g_i + s k_i) / (1 - s^2),                 [m + 1]
  ///     curvature  = sum_e w u_i u_j,   i >= j >= 1, row by row,          [m (m + 1) / 2].
  ///
  /// changes_i is the change of f_i from x to x(lambda). The first derivatives of the dual are
  /// `f_i + changes_i`, and the second ones are the negative of the curvature.
  ///
  /// @param shifts,  weights  scratch for m > tile; else they may be empty
  virtual void pass(const MmaApproximation &approximation,
                    const std::vector<double> &multipliers,
                    Array<double> &shifts,
                    Array<double> &weights,
                    std::vector<double> &changes,
                    std::vector<double> &curvature) const = 0;

  /// Sets next = x(lambda). `next` must not be an array of the approximation. Elements that are no
  /// design elements keep x.
  virtual void minimiser(const MmaApproximation &approximation,
                         const std::vector<double> &multipliers,
                         Array<double> &next) const = 0;

  /// Returns sum_e 2 d s^2 / (1 - s^2). Multiplied by rho_i / range it is the part of changes_i
  /// that makes f_i more convex.
  virtual double convexity_of_step(const MmaApproximation &approximation,
                                   const Array<double> &next) const = 0;
};
} // namespace strut
