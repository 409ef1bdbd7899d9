// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/design/moving_asymptotes.h"
#include "source/optimization/problem/design_state.h"
#include "source/optimization/updates/design_point.h"
#include "source/optimization/updates/dual_ascent.h"

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace strut
{
/// The method of moving asymptotes (Svanberg 1987), and its globally convergent form (GCMMA,
/// Svanberg 2002), as in his note of 2007. It leads from one design to the next.
///
/// The step minimises, between asymptotes L and U and within the move limit,
///
///     f_0~(x) + z + (z - z_k)^2 / (2 max(z_k, 0.01)) + sum_i c (y_i + y_i^2 / 2)
///     subject to  f_i~(x) - a_i z - y_i <= 0,   y, z >= 0,
///
/// with the approximations of ApproximatedVariable. z_k is the largest f_i / a_i at the design.
/// Svanberg's problem has z alone, which makes the dual not smooth. The square has its slope 0 at
/// z_k, so it changes the way to a solution, but no solution. Without f_0 it does not even change
/// the step. y makes any subproblem solvable; it is 0 unless a multiplier exceeds c.
///
/// The dual is maximised, and x(lambda) is never stored per function. Functions are taken relative
/// to their sizes, DesignPoint::Function::size.
class MovingAsymptotes
{
public:
  struct Settings
  {
    double move_limit = 0.2;
    double lower      = 1e-2; ///< lower bound of the design variables
    double upper      = 1.;
    /// Rule of the asymptotes. In topology optimization the initial distance is often less than
    /// 0.5.
    AsymptoteRule asymptotes;
    /// rho_i of MMA in units of mean |df_i/dx_e| (upper - lower). Svanberg's rho_i is 1e-5, for
    /// functions with derivatives of order 1. A function of n elements has derivatives of order 1 /
    /// n.
    double convexity = 1e-5;
    DualAscent dual;
    unsigned int max_trials = 20; ///< largest number of trials of GCMMA in one step
  };

  struct Step
  {
    std::vector<double> multipliers; ///< `[m]`
    double worst = 0.;               ///< z
    /// The largest of three residuals of the problem, not of the subproblem. It is at the design
    /// before the step, with the multipliers of the step before; infinite in a first step.
    ///
    /// - The root of the mean over design elements of
    ///   `(x_e - clip(x_e - (upper - lower) g_e / h))^2`. g is the derivative of the Lagrange
    ///   function. h is the mean of |df_0/dx_e|, or of the worst members if that is larger.
    /// - `|min(lambda_i / size_i, a_i z_k - f_i)|`, where size_i is h over the mean of |df_i/dx_e|.
    /// - `|1 - sum_i lambda_i a_i|` if z_k > 0.
    double kkt = std::numeric_limits<double>::infinity();
    /// y > 0: the constraints cannot all hold within the reach of the step.
    bool is_relaxed      = false;
    bool is_solved       = false; ///< the subproblem is solved to the tolerance
    unsigned int passes  = 0;     ///< passes of the dual over the elements
    unsigned int trials  = 0;     ///< GCMMA: number of evaluated designs
    bool is_conservative = false; ///< GCMMA: all approximations are above the functions at `next`
    std::vector<double> values = {}; ///< GCMMA: f_0, f_1 ... at `next`
  };

  /// Evaluates f_0, f_1 ... f_m of a trial design, relative to their sizes. Collective.
  using Evaluate = std::function<std::vector<double>(const Array<double> &trial)>;

  /// All references must outlive the object.
  /// @param flags  of the elements, `[n_elements]`
  MovingAsymptotes(Backend &backend,
                   const Communicator &communicator,
                   const Array<DesignFlag> &flags,
                   const Settings &settings);

  /// Compute the next design. Collective.
  /// @param next  the next design; overwritten, not x
  /// @param evaluate  for GCMMA, which evaluates trials until its approximations are conservative;
  ///   null for MMA
  Step step(const DesignPoint &point, Array<double> &next, const Evaluate &evaluate = nullptr);

  /// Set the move limit for the steps that follow.
  void set_move_limit(const double move_limit)
  {
    settings_.move_limit = move_limit;
  }

  /// All data of this rank that later steps depend on. Before the first step this is the number 0.
  /// Then it is another number, followed by the multipliers; the fields are the design, the
  /// distances of the asymptotes, and the signs of the last changes.
  DesignState state() const;
  void restore(const DesignState &state);

  /// Bytes per element of this rank, besides the design, the next one and the derivatives.
  static double bytes_per_element(std::size_t n_constraints);

private:
  struct Subproblem;

  void measure(Subproblem &problem, Step &step) const;
  DualValue dual(const Subproblem &problem,
                 const std::vector<double> &multipliers,
                 std::vector<double> &changes,
                 Array<double> &scratch);
  void solve(const Subproblem &problem, Step &step, Array<double> &scratch);
  void
  find_conservative(Subproblem &problem, const Evaluate &evaluate, Step &step, Array<double> &next);

  Backend &backend_;
  Communicator communicator_;
  const Array<DesignFlag> &flags_;
  Settings settings_;
  std::size_t n_design_; ///< design elements of all ranks

  bool is_first_ = true;
  std::vector<double> multipliers_; ///< multipliers of the last step
  Array<double> old_, distances_;
  Array<std::int8_t> signs_;
  Array<double> weights_; ///< used for more constraints than MmaOperations::tile
};
} // namespace strut
