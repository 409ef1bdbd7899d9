// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/solvers/krylov/solver_control.h>

namespace strut
{
/// Lets a SolverControl of deal.II decide when a solve ends. Its check() sees the same steps as in
/// SolverCG. It also sees the true residual if that is more than one per cent larger than a value
/// that check() accepted.
class ControlMonitor
{
public:
  /// @param control  null if tolerance and limit of the options decide
  /// @throws Error for a dealii::ConsecutiveControl, which counts calls and would count the true
  /// residual as a separate step
  explicit ControlMonitor(dealii::SolverControl *control);

  /// Replaces the tolerance and the limit by the control, if there is one. The settings then point
  /// to this object.
  void take_over(SolverControl &settings);

  /// Throws dealii::SolverControl::NoConvergence if there is a control and its solve did not
  /// converge.
  void require_convergence(bool converged) const;

private:
  SolverControl::Verdict see(unsigned int iterations, double norm);
  SolverControl::Verdict check(double norm);

  dealii::SolverControl *const control_;
  bool has_begun_               = false;
  unsigned int step_            = 0; ///< step of the control
  unsigned int last_iterations_ = 0; ///< iterations of the solve, or of its part
  double last_norm_             = 0.;
  /// Norm that check() accepted last, if the true residual was not seen since; -1 else.
  double accepted_ = -1.;
};
} // namespace strut
