// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/solvers/state/state_solver.h>

#include <vector>

#include "plugin/studies/comparison/results.h"
#include "source/backend/hardware_rates.h"

namespace strut::plugin
{
/// The product that all operators are checked against: by the plain operator of the CPU (ebe, fp64),
/// for a random vector and random factors that either precision represents.
struct ReferenceProduct
{
  std::vector<double> x;       ///< `[3 * n_nodes]`
  std::vector<double> factors; ///< `[n_elements]`, in (0.01, 1)
  std::vector<double> y;       ///< `[3 * n_nodes]`, sums over the elements of this rank
  double largest = 0;          ///< max |y| over all ranks

  static ReferenceProduct
  compute(const Communicator &communicator, const ElementMesh &mesh, const Material &material);
};

/// The problem that is applied and solved.
struct MeasuredProblem
{
  Communicator communicator;
  const ElementMesh &mesh;
  const Material &material;
  const std::vector<LoadCase> &load_cases;
  const std::vector<double> &stiffness; ///< factors of the solve, `[n_elements]`
  const SolverControl &control;
};

/// The rates and the memory of a backend.
struct MeasuredBackend
{
  Backend &backend;
  HardwareRates rates;
  double available; ///< bytes for this rank
};

/// Time the applications of one strategy and check their result. Errors that are the strategy's own
/// (memory, a mesh that it refuses) are the status of the result. Collective.
/// @param seconds  how long to measure, about
OperatorResult measure_operator(const MeasuredProblem &problem,
                                const MeasuredBackend &where,
                                const OperatorCase &subject,
                                const ReferenceProduct &reference,
                                double seconds);

/// Solve once by PCG with Jacobi's preconditioner, from zero; not more iterations than fit into
/// `seconds`, judged by the time of one application. Collective.
SolveResult measure_solve(const MeasuredProblem &problem,
                          const MeasuredBackend &where,
                          const OperatorResult &applied,
                          double seconds);
} // namespace strut::plugin
