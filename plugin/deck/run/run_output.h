// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plugin/base/growing_file.h"
#include "plugin/deck/output/checkpoint.h"
#include "plugin/deck/output/folder_lock.h"
#include "plugin/deck/output/result_writer.h"
#include "plugin/deck/run/best_design.h"
#include "plugin/deck/run/run_parts.h"

namespace strut::plugin
{
/// Whether to go on from the checkpoint in the output directory.
enum class Resume
{
  no,
  yes,      ///< and refuse to begin without one
  automatic ///< if there is one
};

/// The output directory while a run has it.
struct OutputFolder
{
  /// Make the folder, lock it, and remove what an earlier run left there unless this one goes on from it. Collective.
  /// @throws EntryError if that cannot be done, or there is no checkpoint and there must be one
  OutputFolder(RunContext &run, Resume wanted);

  /// Whether it will go on from a checkpoint, if nobody removes that meanwhile. Collective.
  static bool will_resume(const RunContext &run, Resume wanted);

  std::unique_ptr<FolderLock> lock; ///< on rank 0
  bool resumes = false;             ///< whether this run goes on from the checkpoint there
};

/// The files of a run while it optimizes: history, results and checkpoints, the latter two written in the background. All
/// members are collective.
class RunOutput
{
public:
  /// Sets the optimizer to the state in the checkpoint if the run goes on from it; then copies the deck.
  RunOutput(RunContext &run, OutputFolder folder, Optimizer &optimizer);

  /// The results from here on get no surface: the last design is no part.
  void leave_out_surface()
  {
    makes_surface_ = false;
  }

  /// Before the first iteration, unless there is none: begin what results of all designs share.
  void prepare();
  bool resumed() const
  {
    return folder_.resumes;
  }
  /// Write or begin the files that are due after an iteration; after the last one until they are there. One that cannot be
  /// written ends no run before its last iteration: there may be room later.
  void write(bool is_last);
  /// After the last write(). Throws the Error of a file that cannot be written.
  void finish();
  /// Write the best design as a result without displacements, unless its iteration has one. Never throws: a NOTE says what went
  /// wrong.
  /// @param last_follows  whether write() will give the last iteration one
  /// @return its file without the folder; empty if it has none
  std::string write_best(const IterationRecord &record, const BestDesign &best, bool last_follows);
  /// Write the checkpoint after an iteration that has failed: of the state before it.
  void write_state();
  /// Of files that have single precision alone.
  const SinglePrecision &precision() const
  {
    return writer_.precision();
  }
  /// The files in the folder, for the end of the log.
  std::string list() const;

private:
  void write_deck() const; ///< on one rank
  void write_history();    ///< likewise
  /// The last result and checkpoint, one after the other by all threads: as nothing changes the state any more, the
  /// displacements of a load case are made when it is their turn.
  void write_last();
  void begin_last_result();
  /// In the log, once: why the mesh is not shared, if it is not.
  void tell_of_mesh();
  /// Do something with the clock of its section. The Error of a file is told in the log, or kept for finish().
  template <typename Action>
  void attempt(const char *section, bool must_be, const Action &action);
  using ResultDisplacements = std::vector<std::variant<SharedField, SharedVector<float>>>;
  void write_results(const SharedField &densities,
                     const ResultDisplacements &displacements); ///< begins to
  ResultWriter::Facts facts_of(const IterationRecord &record) const;
  void add_surface(const IterationRecord &record,
                   const std::vector<double> &densities,
                   ResultWriter::Facts &facts);
  Checkpoint &checkpoint(); ///< makes it the first time
  /// Begins to write it; checkpoint().wait() ends that.
  void write_checkpoint(std::vector<SharedField> displacements);
  CheckpointState state_without_displacements() const;
  /// @return lines for the log: from where, and what has changed since
  std::string resume();
  /// The entries of the deck for a checkpoint: each entry, and those that the command line has set.
  std::vector<std::pair<std::string, std::string>> entries() const;

  RunContext &run_;
  OutputFolder folder_;
  Optimizer &optimizer_;
  GrowingFile history_;
  ResultWriter writer_;
  bool origin_told_ = false; ///< of surfaces
  std::unique_ptr<Checkpoint> checkpoint_;
  std::exception_ptr failure_; ///< of a file that must be there
  bool mesh_told_          = false;
  bool makes_surface_      = true; ///< if the deck asks for it
  std::size_t n_unwritten_ = 0;    ///< files that were due before the end, and could not be written
};
} // namespace strut::plugin
