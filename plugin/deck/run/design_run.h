// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_output.h"
#include "plugin/deck/run/run_plan.h"
#include "plugin/deck/run/run_report.h"

namespace strut
{
/// The run of `strut deck.prm`: reads the deck, sets up the structure, optimizes, and writes
/// results.
class DesignRun
{
public:
  /// Reads the deck and its parameters. Throws Error for faults of the text.
  DesignRun(const DeckChoice &deck, Audience audience, MPI_Comm communicator)
    : run_(deck, audience, communicator)
  {}

  /// Optimizes.
  /// @return exit code of the program: 0, 3 if the design does not meet the requirements, 130 if
  ///   the user stopped it
  int run(Resume wanted);

  /// Builds mesh and regions, prints their tables and the memory estimates, and writes files that
  /// show them.
  /// @param as_json  the facts as JSON on standard output, and the log on standard error
  /// @param solid  solve the solid body and compare its values with the limits; otherwise nothing
  ///   is solved
  void validate(bool as_json, bool solid);

private:
  void start_backend();
  int set_up_and_optimize(Resume wanted);
  void check(bool as_json, bool solid);
  /// Runs an action. If it throws an EntryErrorAt, the place of the fault is drawn.
  template <typename Action>
  auto drawing_faults(const Action &action);
  /// Runs design iterations until one ends the run. Throws SolverFailure, Error.
  RunStatus optimize(Optimizer &optimizer, RunOutput &output, RunReport &report);
  /// Writes the best design so far, and adds it to the report.
  void report_best(const Optimizer &optimizer,
                   RunOutput &output,
                   RunReport &report,
                   const BestDesign &best,
                   bool last_follows);
  /// Runs one design iteration. If its solves fail, the state before it is in the checkpoint.
  IterationRecord iterate(Optimizer &optimizer, RunOutput &output, RunReport &report);

  RunContext run_;
};
} // namespace strut
