// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut::plugin
{
/// The user's choice of operators and solvers.
struct ComparisonOptions
{
  std::vector<std::string> backends;  ///< empty: all that there are
  std::vector<std::string> operators; ///< empty: all
  std::vector<std::string> precisions = {"double", "float"};
  std::vector<std::string> threads    = {"1", "all"}; ///< of the CPU backend
  std::string baseline                = "ebe";
  std::vector<std::string>
    columns;          ///< of the tables, in this order; empty: all, in .tex those that fit a page
  std::string output; ///< empty: output/<deck>-comparison
  double apply_seconds = 1.;  ///< to measure each operator, about
  double solve_seconds = 60.; ///< to solve with each operator or solver, at most
  bool solves          = true;

  std::vector<std::string> solvers; ///< not empty: compare these instead of operators
  std::vector<std::string> designs = {"uniform", "frame"}; ///< to solve for
  double contrast                  = 1e-9;                 ///< of the frame
};
} // namespace strut::plugin
