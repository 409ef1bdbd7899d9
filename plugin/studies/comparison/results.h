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

namespace strut::plugin
{
/// One operator in one precision on one backend: a row of the tables.
struct OperatorCase
{
  std::string backend; ///< cuda or cpu
  std::string name;    ///< of the strategy
  Precision precision    = Precision::fp64;
  unsigned int n_threads = 1; ///< of each rank
  bool deterministic     = false;
};

/// How one application of an operator went. Times in seconds, of the slowest rank; counts over all
/// ranks. A status other than "ok" says why there are no numbers, or ("WRONG") why they mean nothing.
struct OperatorResult
{
  OperatorCase subject;
  std::string status = "ok";
  Spread time;       ///< of one application
  double set_up = 0; ///< from the mesh to an operator that can be applied
  double error  = 0; ///< max |y - y_cpu| / max |y_cpu|, y_cpu in double by the plain CPU operator
  double copy_bandwidth = 0; ///< bytes per second, measured in the same run
  double floor = 0;  ///< the slower of moving cost.bytes_per_apply and doing cost.flops_per_apply
  OperatorCost cost; ///< sums over the ranks

  bool measured() const
  {
    return time.median > 0.;
  }
};

/// How one solve by PCG with Jacobi's preconditioner went, from zero, for the first load case and the
/// uniform design. Where the status tells of a limit, the times are those of the iterations made.
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
  std::string deck; ///< name without folder and extension
  double n_elements = 0;
  double n_nodes    = 0;
  Label label; ///< commit, hardware and versions behind the numbers

  double n_dofs() const
  {
    return 3. * n_nodes;
  }
};

/// All that a comparison of operators found.
struct ComparisonResults : ComparedMesh
{
  std::string baseline; ///< name of the operator, see find_baseline()
  std::vector<OperatorResult> operators;
  std::vector<SolveResult> solves;
};

/// The result that another one is compared with: the first measured one of the baseline's name and of
/// the same precision; null if there is none. A baseline is "name" or "backend:name", for example
/// "ebe", "cpu:ebe"; of several numbers of threads the first counts.
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
  std::string design;     ///< as chosen: uniform, frame, or a number of iterations
  std::string backend;    ///< cuda or cpu
  std::string solver;     ///< jacobi, multigrid: of strut; ml: of Trilinos
  Precision precision;    ///< double, mixed
  unsigned int n_threads; ///< of each rank
};

/// How one solver did, from zero, for the first load case. Times in seconds, of the slowest rank. A
/// status other than "ok" says why there are no numbers, or why they are wrong.
struct SolverResult
{
  SolverCase subject;
  std::string status      = "ok";
  double set_up           = 0; ///< once per mesh: from the mesh to a solver
  double update           = 0; ///< for every design: matrices, hierarchies
  unsigned int iterations = 0;
  Spread time;             ///< of the solves
  double residual     = 0; ///< |f - K u| / |f| on the free DoFs, by one operator for all
  double compliance   = 0; ///< f . u
  double memory_bytes = 0; ///< held after a solve, over all ranks; 0: not known

  bool measured() const
  {
    return time.median > 0.;
  }
  /// The time of the displacements of one design iteration.
  double per_design() const
  {
    return update + time.median;
  }
};

/// All that a comparison of solvers found.
struct SolverResults : ComparedMesh
{
  int n_ranks = 1;
  std::vector<SolverResult> solvers;
};

/// The reference for the others: the first `ml` that converged for the same design; null if
/// there is none.
inline const SolverResult *find_ml(const SolverResults &results, const std::string &design)
{
  for (const SolverResult &result : results.solvers)
    if (result.subject.solver == "ml" && result.subject.design == design && result.status == "ok")
      return &result;
  return nullptr;
}
} // namespace strut::plugin
