// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/deck/run/deck_parameters.h"
#include "plugin/studies/comparison/results.h"

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

/// A run of strut-compare: the structure of a deck, the user's choices, and a folder of tables.
struct Comparison
{
  /// Throws Error for unknown backends and thread counts. Collective.
  Comparison(DeckParameters &parameters,
             const ComparisonOptions &options,
             const Communicator &communicator,
             std::ostream &log);

  /// Makes the folder and the structure, and starts the results. Collective.
  void set_up(bool with_hierarchy, ComparedMesh &results) const;

  DeckParameters &parameters;
  ComparisonOptions options;
  Communicator communicator;
  std::ostream &log;
  std::string folder;
};

/// The work of `strut-compare deck.prm`: applies every chosen operator to the structure of a deck,
/// checks it, and solves with it. Writes the tables after each operator. Collective.
/// @throws Error for options with unknown names; in the end, if a product was wrong
void compare_operators(const Comparison &comparison);

/// The work of `strut-compare deck.prm --solvers`: solves the same systems with strut's solvers on
/// every backend and with the usual solver of a deal.II user. Writes the tables after each solver.
/// Collective. @throws Error for options with unknown names; in the end, if a solver failed
void compare_solvers(const Comparison &comparison);
} // namespace strut
