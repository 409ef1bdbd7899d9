// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/control_monitor.h"

#include <deal.II/lac/solver_control.h>

#include <strut/base/exceptions.h>

#include <limits>
#include <utility>

namespace strut
{
ControlMonitor::ControlMonitor(dealii::SolverControl *const control) : control_(control)
{
  if (dynamic_cast<dealii::ConsecutiveControl *>(control) != nullptr)
    throw Error(
      "solve() has got a ConsecutiveControl, which counts steps in a row, and a step may be shown to a control "
      "twice: the second time with the true residual.\n  Take SolverControl, ReductionControl or "
      "IterationNumberControl.");
}

void ControlMonitor::take_over(SolverControl &settings)
{
  if (control_ == nullptr)
    return;
  settings.criterion      = SolverControl::Criterion::relative;
  settings.tolerance      = 0.;
  settings.max_iterations = std::numeric_limits<unsigned int>::max();
  settings.monitor        = [this](const unsigned int iterations, const double norm) {
    return see(iterations, norm);
  };
}

SolverControl::Verdict ControlMonitor::see(const unsigned int iterations, const double norm)
{
  using Verdict = SolverControl::Verdict;
  last_norm_    = norm;
  // The check of the true residual repeats the iterate, and so does the beginning of the next part
  // of a solve.
  const bool again      = has_begun_ && (iterations == 0 || iterations == last_iterations_);
  last_iterations_      = iterations;
  const double accepted = std::exchange(accepted_, -1.);
  if (again && accepted < 0.)
    return Verdict::go_on;
  if (again && norm <= 1.01 * accepted)
    return Verdict::enough;
  if (again)
    return check(norm);
  step_                 = has_begun_ ? step_ + 1 : 0;
  has_begun_            = true;
  const Verdict verdict = check(norm);
  if (verdict == Verdict::enough)
    accepted_ = norm;
  return verdict;
}

SolverControl::Verdict ControlMonitor::check(const double norm)
{
  switch (control_->check(step_, norm))
    {
      case dealii::SolverControl::success:
        return SolverControl::Verdict::enough;
      case dealii::SolverControl::failure:
        return SolverControl::Verdict::give_up;
      default:
        return SolverControl::Verdict::go_on;
    }
}

void ControlMonitor::require_convergence(const bool converged) const
{
  if (control_ != nullptr && !converged)
    throw dealii::SolverControl::NoConvergence(step_, last_norm_);
}
} // namespace strut
