// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/base/choose_backend.h"
#include "plugin/deck/output/progress_lines.h"
#include "plugin/deck/output/run_log.h"
#include "plugin/deck/output/shared_field.h"
#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/run/deck_parameters.h"

namespace strut
{
/// The readers of the output of a run.
enum class Audience
{
  people,
  quiet,   ///< notes and the last line only
  programs ///< a line of JSON for each event; the log goes to standard error
};

/// Objects that all parts of a run use: the deck, the ranks, the backend, the log and the clock.
struct RunContext
{
  /// Reads the deck and its parameters. Throws Error for faults of the text.
  RunContext(const DeckChoice &deck, Audience audience, MPI_Comm mpi);

  Backend &backend() const
  {
    return *chosen.backend;
  }
  /// Path of a file in the output directory.
  std::string file(const std::string &name) const
  {
    return folder + '/' + name;
  }
  std::string checkpoint_file() const
  {
    return file("checkpoint.strut");
  }
  /// The first lines of the log: versions, deck, backend, settings of the command line.
  std::string header() const;

  Communicator communicator;
  DeckParameters parameters;
  std::string folder; ///< the output directory
  RunLog log;
  ProgressLines progress;
  std::vector<std::string> pictures; ///< files that show the place of a fault, on rank 0
  ChosenBackend chosen;              ///< no backend in a run that only validates
  TimingTable timing; ///< the last member, so its clock begins after the deck is read
};

/// The objects that find the design. They live while the optimization runs.
struct Optimizer
{
  /// Sets up solver, maps and method, and takes the load cases from the problem. Collective.
  Optimizer(RunContext &run, const StateSettings &settings);

  std::vector<std::string> load_case_names() const;
  /// Displacements of all load cases, stored once for all files. Collective.
  std::vector<SharedField> displacements() const;

  StateSettings settings; ///< settings of the solver
  std::unique_ptr<StateSolver> state;
  DesignChain map;
  std::unique_ptr<DesignMethod> method;
};
} // namespace strut
