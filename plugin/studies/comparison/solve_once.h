// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/solvers/state/state_solver.h>

#include <string>

namespace strut
{
/// Solves for the first load case, in which a limit of iterations is no error. Fills in iterations
/// and residual, and the status if it is not "ok". @param result  SolveResult or SolverResult
template <typename Result>
void solve_once(StateSolver &solver, const unsigned int max_iterations, Result &result)
{
  try
    {
      const SolverReport report = solver.solve(0);
      result.iterations         = report.iterations;
      result.residual           = report.residual;
      if (!report.converged)
        result.status = "residual above the tolerance, the precision gives no smaller one";
    }
  catch (const SolverFailure &failure)
    {
      if (!failure.at_limit)
        throw;
      result.iterations = max_iterations;
      result.status     = "stopped after " + std::to_string(max_iterations) + " iterations";
    }
}
} // namespace strut
