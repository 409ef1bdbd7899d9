// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/base/choose_backend.h"
#include "plugin/deck/output/folder_lock.h"
#include "plugin/deck/output/result_writer.h"
#include "plugin/deck/output/run_log.h"
#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/parameters/deck_choice.h"
#include "plugin/deck/run/choose_preconditioner.h"
#include "plugin/deck/run/deck_parameters.h"
#include "plugin/deck/run/require_memory.h"

namespace strut::plugin
{
/// Whether to go on from the checkpoint in the output directory.
enum class Resume
{
  no,
  yes,      ///< and refuse to begin without one
  automatic ///< if there is one
};

/// The run of `strut deck.prm`: read the deck, set up the structure, optimize, write results.
class DesignRun
{
public:
  /// Read the deck and its parameters; throws Error for everything that is wrong with the text.
  /// @param quiet  print notes and the last line only
  DesignRun(const DeckChoice &deck, bool quiet, MPI_Comm communicator);

  /// Optimize. @return exit code of the program: 0, 3 if the design misses its volume or has come apart, 130 if the user stopped it
  int run(Resume wanted);

  /// Build mesh and regions, print their tables and the memory estimates, solve nothing.
  void validate();

private:
  struct Loop; // what lives as long as the optimization runs

  /// Design iterations until one ends the run. Throws SolverFailure, Error.
  RunStatus optimize(Loop &loop, TimingTable &timing);
  /// Of the last design. Collective.
  std::vector<DesignPiece> find_pieces(const Loop &loop) const;
  void print_end(const Loop &loop, const TimingTable &timing, RunStatus status);
  /// summary.json, on rank 0. @param host_memory  of the rank that took most, bytes
  void write_summary(const Loop &loop,
                     const TimingTable &timing,
                     RunStatus status,
                     double host_memory,
                     const std::string &error = std::string()) const;
  /// Whether solves end at their limit of iterations, whatever the residual.
  bool accepts_limit() const
  {
    return parameters_.solver.control().accepts_limit;
  }
  const DesignMethodEntry &method_entry() const
  {
    return find_design_method(parameters_.optimization.method);
  }
  /// What is minimised, with its responses; for methods that take none without them.
  OptimizationProblem make_problem(const std::vector<std::string> &load_cases) const;
  /// Name of the column of the objective.
  std::string objective_name() const;

  void print_header(std::ostream &out) const;
  /// The memory that a run will take with the strategies of a backend; null if the operator is not among them.
  std::unique_ptr<MemoryPlan> plan(const StrategyLists &strategies, bool on_device) const;
  void print_memory(std::ostream &out) const;
  void print_disk(std::ostream &out) const;
  void print_time(std::ostream &out);
  void check_operator() const;
  void set_up_problem();
  /// describe_slow_solves() of a design.
  std::string slow_solves(const IterationRecord &record) const;
  Structure structure() const;
  void check_volume() const;
  /// Remarks on the numbers in the deck, for the user, line by line.
  std::string remarks() const;
  std::string other_values() const;
  void check_memory();
  /// Make the folder, lock it, and remove what an earlier run left there unless this one goes on from it.
  /// @return whether this one does
  bool prepare_output(Resume wanted);
  void write_parameters() const;
  /// The entries of the deck for a checkpoint: each entry, and those that the command line has set.
  std::vector<std::pair<std::string, std::string>> entries() const;
  /// Write or begin the files that are due after an iteration; after the last one they are there. One that
  /// cannot be written ends no run before its last iteration: there may be room later.
  void write_outputs(Loop &loop, TimingTable &timing, bool is_last);
  /// Wait for what is written in the background. Throws the Error of a file that cannot be.
  void finish_outputs(Loop &loop, TimingTable &timing);
  void write_history_file(const Loop &loop) const;
  /// Of all load cases, in memory once however many files they go into.
  static std::vector<SharedField> displacements(Loop &loop);
  void write_results(Loop &loop, const std::vector<SharedField> &displacements); ///< begins to
  class Checkpoint &checkpoint(Loop &loop) const;
  /// Begins to write it; checkpoint().wait() ends that.
  void write_checkpoint(Loop &loop, std::vector<SharedField> displacements) const;
  /// @return lines for the log: from where, and what has changed since
  std::string resume(Loop &loop) const;
  bool exists(const std::string &file_name) const; ///< collective

  std::string checkpoint_file() const
  {
    return output_directory_ + "/checkpoint.strut";
  }

  MPI_Comm communicator_;
  std::vector<Deck::Setting> settings_; ///< of the command line
  DeckParameters parameters_;
  std::string output_directory_;
  RunLog log_;
  bool resumed_            = false;
  std::size_t n_unwritten_ = 0;    ///< files that were due before the end, and could not be written
  std::optional<double> greyness_; ///< likewise, if the method makes grey elements
  std::optional<std::vector<DesignPiece>> pieces_; ///< of the last design, once the run has ended
  DesignVerdict verdict_;                          ///< likewise
  ChosenBackend backend_;
  PreconditionerChoice preconditioner_; ///< after set_up_problem()
  std::unique_ptr<FolderLock> lock_;    ///< of the output directory, on rank 0 of a run
};
} // namespace strut::plugin
