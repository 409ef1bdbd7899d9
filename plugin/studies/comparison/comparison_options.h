// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
/// The user's choice of operators and solvers.
struct ComparisonOptions
{
  std::vector<std::string> backends;  ///< all if empty
  std::vector<std::string> operators; ///< all if empty
  std::vector<std::string> precisions = {"double", "float"};
  std::vector<std::string> threads    = {"1", "all"}; ///< thread counts of the CPU backend
  std::string baseline                = "ebe";
  /// Columns of the tables, in this order. If empty, all; .tex has those that fit a page.
  std::vector<std::string> columns;
  std::string output;         ///< output/<deck>-comparison if empty
  double apply_seconds = 1.;  ///< approximate time to measure an operator
  double solve_seconds = 60.; ///< time limit for the solve with an operator or a solver
  bool solves          = true;

  std::vector<std::string> solvers; ///< compared in place of operators, unless empty
  std::vector<std::string> designs = {"uniform", "frame"}; ///< designs to solve for
  double contrast                  = 1e-9;                 ///< contrast of the frame
};
} // namespace strut
