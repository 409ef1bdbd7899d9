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
/// A response, and over which load cases it counts: an objective, or a constraint.
struct DesignFunction
{
  enum class Over
  {
    sum,  ///< `sum_l w_l R_l`, with the weights of the load cases
    worst ///< of an objective `max_l w_l R_l`; of a constraint each `R_l`, without weights
  };

  std::string name; ///< of its column
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

/// Minimise an objective, or maximise it, under constraints.
struct OptimizationProblem
{
  DesignFunction objective;
  std::vector<DesignConstraint> constraints = {};
  bool limits_volume  = true;  ///< the volume fraction of OptimizationSettings is a constraint, too
  bool maximises      = false; ///< not of a worst case over load cases
  RobustFields fields = {};    ///< that each function is evaluated for
};

/// The functions of the design that it has: of a worst case one for each load case, all of them for
/// each field.
std::size_t n_functions(const OptimizationProblem &problem, std::size_t n_load_cases);

/// The sum over the load cases of a response without constraints but that of the volume, as most
/// designs have it.
OptimizationProblem minimise(const std::string &response, const ResponseContext &context);
} // namespace strut
