// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/element_operator.h>

#include <string>
#include <vector>

#include "plugin/studies/report/choices.h"
#include "plugin/studies/report/format.h"
#include "plugin/studies/report/status.h"
#include "source/base/measure.h"

namespace strut
{
/// One operator in one precision on one backend: a row of the tables.
struct OperatorCase
{
  std::string backend; ///< cuda or cpu
  std::string name;    ///< name of the strategy
  Precision precision    = Precision::fp64;
  unsigned int n_threads = 1; ///< threads of each rank
  bool deterministic     = false;
};

/// Result for one operator. Times are in seconds, of the slowest rank; counts are over all ranks. A
/// status other than "ok" says why there are no numbers, or ("WRONG") why they are meaningless.
struct OperatorResult
{
  OperatorCase subject;
  std::string status = "ok";
  Spread time;       ///< time of one product
  double set_up = 0; ///< time to make the operator from the mesh
  /// Error max |y - y_cpu| / max |y_cpu|; y_cpu is the product of the plain CPU operator in double.
  double error          = 0;
  double copy_bandwidth = 0; ///< bytes per second, measured in the same run
  /// The longer of the times for cost.bytes_per_apply and for cost.flops_per_apply.
  double floor = 0;
  OperatorCost cost; ///< sums over the ranks

  bool measured() const
  {
    return time.median > 0.;
  }
};

/// Result of one solve by PCG with Jacobi's preconditioner, from zero, for the first load case and
/// the uniform design. If the status reports a limit, the times are those of the completed
/// iterations.
struct SolveResult
{
  OperatorCase subject;
  std::string status      = "ok";
  unsigned int iterations = 0;
  double seconds          = 0;
  double operator_seconds = 0;
  double vector_seconds   = 0;
  double residual         = 0;

  bool measured() const
  {
    return seconds > 0.;
  }
  double per_iteration() const
  {
    return seconds / (iterations > 0 ? iterations : 1);
  }
};

/// The mesh and the circumstances of a comparison.
struct ComparedMesh
{
  std::string deck; ///< name of the deck without folder and extension
  double n_elements = 0;
  double n_nodes    = 0;
  Label label; ///< commit, hardware and versions

  double n_dofs() const
  {
    return 3. * n_nodes;
  }
};

/// All results of a comparison of operators.
struct ComparisonResults : ComparedMesh
{
  std::string baseline; ///< name of the baseline, see find_baseline()
  std::vector<OperatorResult> operators;
  std::vector<SolveResult> solves;
};

/// Baseline of another result: the first measured result with the baseline's name and the same
/// precision; null if there is none. A baseline is "name" or "backend:name", such as "ebe" or
/// "cpu:ebe". Of several thread counts the first is used.
template <typename Result>
const Result *
find_baseline(const std::vector<Result> &results, const std::string &baseline, Precision precision)
{
  for (const Result &result : results)
    if (result.measured() && !is_failure(result.status) && result.subject.precision == precision &&
        (result.subject.name == baseline ||
         result.subject.backend + ":" + result.subject.name == baseline))
      return &result;
  return nullptr;
}

/// One solver for one design on one backend: a row of the table.
struct SolverCase
{
  std::string design;     ///< chosen design: uniform, frame, or a number of iterations
  std::string backend;    ///< cuda or cpu
  std::string solver;     ///< jacobi or multigrid of strut; ml of Trilinos
  Precision precision;    ///< double, mixed
  unsigned int n_threads; ///< threads of each rank
};

/// Result for one solver, from zero, for the first load case. Times are in seconds, of the slowest
/// rank. A status other than "ok" says why there are no numbers, or why they are wrong.
struct SolverResult
{
  SolverCase subject;
  std::string status      = "ok";
  double set_up           = 0; ///< once per mesh: time to make the solver
  double update           = 0; ///< for every design: time for matrices and hierarchies
  unsigned int iterations = 0;
  Spread time; ///< time of a solve
  ///|f - K u| / |f| on the free DoFs, by the same operator for all solvers.
  double residual     = 0;
  double compliance   = 0; ///< f . u
  double memory_bytes = 0; ///< after a solve, over all ranks; 0 if unknown

  bool measured() const
  {
    return time.median > 0.;
  }
  /// Time to compute the displacements of one design iteration.
  double per_design() const
  {
    return update + time.median;
  }
};

/// All results of a comparison of solvers.
struct SolverResults : ComparedMesh
{
  int n_ranks = 1;
  std::vector<SolverResult> solvers;
};

/// Reference for the speed-ups: the first `ml` that converged for the same design; null if there is
/// none.
inline const SolverResult *find_ml(const SolverResults &results, const std::string &design)
{
  for (const SolverResult &result : results.solvers)
    if (result.subject.solver == "ml" && result.subject.design == design && result.status == "ok")
      return &result;
  return nullptr;
}
} // namespace strut
