// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_output.h"
#include "plugin/deck/run/run_plan.h"
#include "plugin/deck/run/run_report.h"

namespace strut::plugin
{
/// The run of `strut deck.prm`: read the deck, set up the structure, optimize, write results.
class DesignRun
{
public:
  /// Read the deck and its parameters; throws Error for everything that is wrong with the text.
  DesignRun(const DeckChoice &deck, Audience audience, MPI_Comm communicator)
    : run_(deck, audience, communicator)
  {}

  /// Optimize. @return exit code of the program: 0, 3 if the design is not what was asked for, 130 if the user stopped it
  int run(Resume wanted);

  /// Build mesh and regions, print their tables and the memory estimates, write files that show them.
  /// @param as_json  the facts as JSON on standard output, and the log on standard error
  /// @param solid  solve the solid body, for its values beside the limits; else nothing is solved
  void validate(bool as_json, bool solid);

private:
  void start_backend();
  int set_up_and_optimize(Resume wanted);
  void check(bool as_json, bool solid);
  /// Do something; if it throws an EntryErrorAt, draw its place.
  template <typename Action>
  auto drawing_faults(const Action &action);
  /// Design iterations until one ends the run. Throws SolverFailure, Error.
  RunStatus optimize(Optimizer &optimizer, RunOutput &output, RunReport &report);
  /// Write the best design so far, and have it in the report.
  void tell_best(const Optimizer &optimizer,
                 RunOutput &output,
                 RunReport &report,
                 const BestDesign &best,
                 bool last_follows);
  /// One of them. If its solves fail, the state before it is in the checkpoint.
  IterationRecord iterate(Optimizer &optimizer, RunOutput &output, RunReport &report);

  RunContext run_;
};
} // namespace strut::plugin
