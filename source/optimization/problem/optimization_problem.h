// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/problem/robust_fields.h"

#include <strut/optimization/responses/response.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// A response and the load cases over which it counts, as an objective or a constraint.
struct DesignFunction
{
  enum class Over
  {
    sum,  ///< `sum_l w_l R_l`, with the weights of the load cases
    worst ///< `max_l w_l R_l` for an objective; each `R_l`, without weights, for a constraint
  };

  std::string name; ///< name of its column
  std::shared_ptr<Response> response;
  bool by_load_case              = true; ///< ResponseEntry::by_load_case
  Over over                      = Over::sum;
  std::vector<std::size_t> cases = {}; ///< ascending; empty: all
};

/// A function that shall stay below a limit, or above it.
struct DesignConstraint
{
  DesignFunction function;
  double limit  = 0;
  bool at_least = false;
};

/// A problem that minimises or maximises an objective under constraints.
struct OptimizationProblem
{
  DesignFunction objective;
  std::vector<DesignConstraint> constraints = {};
  /// The volume fraction of OptimizationSettings is a constraint as well.
  bool limits_volume  = true;
  bool maximises      = false; ///< false for a worst case over load cases
  RobustFields fields = {};    ///< fields in which each function is evaluated
};

/// Number of functions of the design: a worst case has one for each load case, and each field has
/// all of them.
std::size_t n_functions(const OptimizationProblem &problem, std::size_t n_load_cases);

/// The problem of most designs: minimise the sum of a response over the load cases, with the volume
/// as the only constraint.
OptimizationProblem minimise(const std::string &response, const ResponseContext &context);
} // namespace strut
