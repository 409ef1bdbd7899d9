// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_method.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/state/state_solver.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace strut
{
/// Throws SolverFailure for an objective that is not a finite number, or that is out of the range
/// in which squares of displacements can be represented. Otherwise all sensitivities would be 0 or
/// not finite, and the design void. 0 is allowed, as a load may do no work.
inline void require_computable(const std::string &load_case, const double objective)
{
  constexpr double least = 1e-150, most = 1e150;
  const double size = std::abs(objective);
  if (size == 0. || (size >= least && size <= most))
    return;
  std::ostringstream text;
  text
    << "A response to the load case '" << load_case << "' is " << objective
    << ". Double precision takes sizes from " << least << " to " << most
    << ".\n  Choose units in which forces, lengths and the stiffness of the material are nearer to 1.";
  throw SolverFailure(text.str()); // An evolution refuses such a design, parts of which are loose.
}

/// How far solves go.
enum class SolveTo
{
  /// The tolerance, or with SolverControl::accepts_limit the limit of iterations.
  tolerance_or_limit,
  tolerance
};

/// Solve all load cases of a design. The record gets the largest residual and the sum of the
/// iterations. Of second solves it gets the largest residual since the record began. Throws
/// SolverFailure.
/// @param evaluate  called with the number of each load case that was solved, and with a function
///   that counts the reports of further solves
/// @return whether a solve ended at its limit of iterations
template <typename Evaluate>
bool solve_load_cases(StateSolver &state,
                      const SolveTo solve_to,
                      IterationRecord &record,
                      const Evaluate &evaluate)
{
  record.objective = 0.;
  record.residual  = 0.;
  record.case_objectives.clear();
  bool at_limit    = false;
  const auto count = [&](const SolverReport &report, double &residual) {
    record.solver_iterations += report.iterations;
    record.n_solves += report.iterations > 0 ? 1 : 0;
    residual = std::max(residual, report.residual);
    at_limit = at_limit || report.at_limit;
  };
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    {
      count(solve_to == SolveTo::tolerance ? state.solve_to_tolerance(l) : state.solve(l),
            record.residual);
      evaluate(l, [&](const SolverReport &report) { count(report, record.adjoint_residual); });
    }
  return at_limit;
}
} // namespace strut
