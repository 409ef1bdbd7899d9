// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/report/format.h"

namespace strut::plugin
{
/// One solver for one design on one backend: what a row of the table is about.
struct SolverCase
{
  std::string design;     ///< as chosen: uniform, frame, or a number of iterations
  std::string backend;    ///< cuda or cpu
  std::string solver;     ///< jacobi, multigrid: of strut; ml: of Trilinos
  std::string precision;  ///< double, mixed
  unsigned int n_threads; ///< of each rank
};

/// How one solver did, from zero, for the first load case. Times in seconds, of the slowest rank. A
/// status other than "ok" says why there are no numbers, or what is wrong with them.
struct SolverResult
{
  SolverCase what;
  std::string status      = "ok";
  double set_up           = 0; ///< once for a mesh: from the mesh to what can take a design
  double update           = 0; ///< for every design: matrices, hierarchies
  unsigned int iterations = 0;
  double median           = 0; ///< of the solves
  double smallest         = 0;
  double largest          = 0;
  double residual         = 0; ///< |f - K u| / |f| on the free DoFs, by one operator for all
  double compliance       = 0; ///< f . u
  double memory_bytes     = 0; ///< held after a solve, over all ranks; 0: not known

  bool measured() const
  {
    return median > 0.;
  }
  /// What a design iteration pays for its displacements.
  double per_design() const
  {
    return update + median;
  }
};

/// All that a comparison of solvers found.
struct SolverResults
{
  std::string deck; ///< name without folder and extension
  double n_elements = 0;
  double n_nodes    = 0;
  int n_ranks       = 1;
  Label label;
  std::vector<SolverResult> solvers;

  double n_dofs() const
  {
    return 3. * n_nodes;
  }
};

/// What the others are compared with: the first `ml` that converged for the same design; null if
/// there is none.
inline const SolverResult *find_ml(const SolverResults &results, const std::string &design)
{
  for (const SolverResult &result : results.solvers)
    if (result.what.solver == "ml" && result.what.design == design && result.status == "ok")
      return &result;
  return nullptr;
}
} // namespace strut::plugin
