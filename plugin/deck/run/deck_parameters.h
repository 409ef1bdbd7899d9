// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/run/output_parameters.h"
#include "plugin/deck/run/run_parameters.h"

namespace strut
{
/// Everything that a deck says; the members are in the order of the deck. Only one object may exist
/// at a time: deal.II keeps the table of parameters for the whole program.
struct DeckParameters
{
  /// Reads the deck and parses its parameters. Throws Error for faults of the text and for values
  /// that are wrong for any mesh.
  /// @param settings  settings of the command line
  explicit DeckParameters(const std::string &deck_file,
                          const std::vector<Deck::Setting> &settings = {});

  const DesignMethodEntry &method_entry() const
  {
    return find_design_method(optimization.method);
  }
  /// Name of the column of the objective.
  std::string objective_name() const
  {
    return solver.control().accepts_limit ? "objective" : optimization.objective;
  }
  /// Whether the objective or a constraint takes stresses.
  bool limits_stresses() const
  {
    const auto takes_stresses = [](const std::string &response) {
      return find_response(response).takes_stresses;
    };
    return method_entry().solves_any_problem &&
           (takes_stresses(optimization.objective) ||
            std::any_of(constraints.begin(), constraints.end(), [&](const auto &constraint) {
              return takes_stresses(constraint->response);
            }));
  }
  /// Makes the mesh with its supports and loads, and coarser ones if the preconditioner may need
  /// them. Collective; throws EntryError, Error.
  void make_structure(const Communicator &communicator);
  /// Structure of the problem, after make_structure().
  Structure structure() const
  {
    return {problem.mesh(),
            problem.material(),
            problem.hierarchy(),
            problem.solids(),
            problem.supports_of_modes(),
            problem.masses()};
  }

  Deck deck;
  std::vector<Deck::Setting> settings;
  ComputeParameters compute;
  Problem problem;
  SolverParameters solver;
  OptimizationParameters optimization;
  dealii::ParameterAcceptor of_constraints{"/Constraints"}; ///< a deck may leave it empty
  OptimizationParameters::Constraints constraints;
  OutputParameters output;
  ExportParameters part;

  std::string base_name; ///< name of the deck without folder and extension
};
} // namespace strut
