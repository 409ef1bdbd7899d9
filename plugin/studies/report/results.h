// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/element_operator.h>

#include <string>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// One operator in one precision on one backend: what a row of the tables is about.
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
  OperatorCase what;
  std::string status = "ok";
  double median      = 0;
  double smallest    = 0;
  double largest     = 0;
  double set_up      = 0; ///< from the mesh to an operator that can be applied
  double error = 0; ///< max |y - y_cpu| / max |y_cpu|, y_cpu in double by the plain CPU operator
  double copy_bandwidth = 0; ///< bytes per second, measured in the same run
  double floor = 0;  ///< the slower of moving cost.bytes_per_apply and doing cost.flops_per_apply
  OperatorCost cost; ///< sums over the ranks

  bool measured() const
  {
    return median > 0.;
  }
};

/// How one solve by PCG with Jacobi's preconditioner went, from zero, for the first load case and the
/// uniform design. Where the status tells of a limit, the times are those of the iterations made.
struct SolveResult
{
  OperatorCase what;
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

/// All that a comparison found.
struct ComparisonResults
{
  std::string deck; ///< name without folder and extension
  double n_elements = 0;
  double n_nodes    = 0;
  std::string baseline; ///< name of the operator, see find_baseline()
  std::vector<std::pair<std::string, std::string>>
    label; ///< what the numbers depend on: key, value
  std::vector<OperatorResult> operators;
  std::vector<SolveResult> solves;

  double n_dofs() const
  {
    return 3. * n_nodes;
  }
};

/// Whether a status tells of a wrong product or an unforeseen error: the program ends with exit code 1.
inline bool is_failure(const std::string &status)
{
  return status.rfind("WRONG", 0) == 0 || status.rfind("FAILED", 0) == 0;
}

/// The result that another one is compared with: the first measured one of the baseline's name and of
/// the same precision; null if there is none. A baseline is "name" or "backend:name", for example
/// "ebe", "cpu:ebe"; of several numbers of threads the first counts.
template <typename Result>
const Result *
find_baseline(const std::vector<Result> &results, const std::string &baseline, Precision precision)
{
  for (const Result &result : results)
    if (result.measured() && !is_failure(result.status) && result.what.precision == precision &&
        (result.what.name == baseline || result.what.backend + ":" + result.what.name == baseline))
      return &result;
  return nullptr;
}

/// "double" or "float", as in the deck.
inline std::string to_string(const Precision precision)
{
  return precision == Precision::fp64 ? "double" : "float";
}
} // namespace strut::plugin
