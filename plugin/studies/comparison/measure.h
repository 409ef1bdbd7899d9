// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>
#include <strut/solvers/state/state_solver.h>

#include <string>
#include <vector>

#include "plugin/studies/comparison/results.h"
#include "source/backend/hardware_rates.h"

namespace strut
{
/// Reference for the check of all operators: the product of the plain CPU operator (ebe, fp64) with
/// a random vector and random factors that float represents exactly.
struct ReferenceProduct
{
  std::vector<double> x;       ///< `[3 * n_nodes]`
  std::vector<double> factors; ///< `[n_elements]`, in (0.01, 1)
  /// Sums over the elements of this rank, `[3 * n_nodes]`.
  std::vector<double> y;
  double largest = 0; ///< max |y| over all ranks

  static ReferenceProduct
  compute(const Communicator &communicator, const ElementMesh &mesh, const Material &material);
};

/// The problem for the products and solves.
struct MeasuredProblem
{
  Communicator communicator;
  const ElementMesh &mesh;
  const Material &material;
  const std::vector<LoadCase> &load_cases;
  const std::vector<double> &stiffness; ///< factors for the solve, `[n_elements]`
  const SolverControl &control;
};

/// The rates and the memory of a backend.
struct MeasuredBackend
{
  Backend &backend;
  HardwareRates rates;
  double available; ///< in bytes, for this rank
};

/// Measures the product of one strategy and checks its result. Errors of the strategy itself
/// (memory, an unsupported mesh) become the status of the result. Collective.
/// @param seconds  approximate time of the measurement
OperatorResult measure_operator(const MeasuredProblem &problem,
                                const MeasuredBackend &where,
                                const OperatorCase &subject,
                                const ReferenceProduct &reference,
                                double seconds);

/// Solves once by PCG with Jacobi's preconditioner, from zero. The number of iterations is limited
/// to those that fit into `seconds`, according to the time of one product. Collective.
SolveResult measure_solve(const MeasuredProblem &problem,
                          const MeasuredBackend &where,
                          const OperatorResult &applied,
                          double seconds);

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
