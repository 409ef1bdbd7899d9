// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>
#include <strut/solvers/krylov/conjugate_gradient.h>

namespace strut::plugin
{
/// Lets a control of deal.II's decide when a solve ends, step by step: its check() sees what it would see in SolverCG, and
/// the true residual where that is more than one per cent larger than one that it accepted.
class ControlMonitor
{
public:
  /// @param control  null: tolerance and limit of the options decide
  /// @throws Error for a dealii::ConsecutiveControl, which counts calls: it would see the true residual as a step of its own
  explicit ControlMonitor(dealii::SolverControl *control);

  /// Put the control in place of the tolerance and the limit, if there is one. Points to this object.
  void take_over(SolverControl &settings);

  /// Throw dealii::SolverControl::NoConvergence if there is a control, and the solve that it decided on did not converge.
  void require_convergence(bool converged) const;

private:
  SolverControl::Verdict see(unsigned int iterations, double norm);
  SolverControl::Verdict check(double norm);

  dealii::SolverControl *const control_;
  bool has_begun_               = false;
  unsigned int step_            = 0; ///< of the control
  unsigned int last_iterations_ = 0; ///< of the solve, or of its part
  double last_norm_             = 0.;
  double accepted_ =
    -1.; ///< the norm that check() accepted last, where the true one was not seen yet
};
} // namespace strut::plugin
