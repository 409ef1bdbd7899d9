// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plugin/base/atomic_file.h"
#include "plugin/deck/output/checkpoint.h"
#include "plugin/deck/output/folder_lock.h"
#include "plugin/deck/output/result_writer.h"
#include "plugin/deck/run/best_design.h"
#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// Whether to resume from the checkpoint in the output directory.
enum class Resume
{
  no,
  yes,      ///< refuse to begin without a checkpoint
  automatic ///< resume if there is a checkpoint
};

/// The output directory, owned by a run.
struct OutputFolder
{
  /// Makes the folder, locks it, and removes the files of an earlier run unless this run resumes
  /// it. Collective.
  /// @throws EntryError if that fails, or if a required checkpoint is missing
  OutputFolder(RunContext &run, Resume wanted);

  /// Whether the run will resume from a checkpoint, if it is not removed meanwhile. Collective.
  static bool will_resume(const RunContext &run, Resume wanted);

  std::unique_ptr<FolderLock> lock; ///< held by rank 0
  bool resumes = false;             ///< whether this run resumes from the checkpoint there
};

/// The files of a run while it optimizes: history, results and checkpoints. Results and checkpoints
/// are written in the background. All members are collective.
class RunOutput
{
public:
  /// Sets the optimizer to the state in the checkpoint if the run resumes, then copies the deck.
  RunOutput(RunContext &run, OutputFolder folder, Optimizer &optimizer);

  /// Leaves the surface out of later results, because the last design is not a part.
  void leave_out_surface()
  {
    makes_surface_ = false;
  }

  /// Begins the data that results of all designs share. To be called before the first iteration, if
  /// there is one.
  void prepare();
  bool resumed() const
  {
    return folder_.resumes;
  }
  /// Writes or begins the files that are due after an iteration, and completes them after the last
  /// one. Failures end a run only at its last iteration, as there may be room later.
  /// @param beside  called at the last iteration while threads compress the result; must not throw
  void write(bool is_last, const std::function<void()> &beside = {});
  /// Completes the files after the last write(). Throws the Error of a file that cannot be written.
  void finish();
  /// Writes the best design as a result without displacements, unless its iteration has a result.
  /// Never throws: a NOTE reports failures.
  /// @param last_follows  whether write() will write a result of the last iteration
  /// @return name of its file without folder; empty if there is none
  std::string write_best(const IterationRecord &record, const BestDesign &best, bool last_follows);
  /// Writes the checkpoint after a failed iteration, with the state before it.
  void write_state();
  /// Single precision of the numbers in result files.
  const SinglePrecision &precision() const
  {
    return writer_.precision();
  }
  /// Returns the files in the folder, for the end of the log.
  std::string list() const;

private:
  void write_deck() const; ///< called on one rank
  void write_history();    ///< called on one rank

  /// Writes the last result, then the last checkpoint, with all threads. The state no longer
  /// changes, so the displacements of each load case are made when they are needed.
  void write_last(const std::function<void()> &beside);
  void begin_last_result();
  /// Logs once why results do not share the mesh, if they do not.
  void tell_of_mesh();
  /// Runs an action under the clock of its section. The Error of a file is logged, or kept for
  /// finish().
  /// @param file  what the action writes, for errors that do not know it
  template <typename Action>
  void attempt(const char *section, const std::string &file, bool must_be, const Action &action);
  /// Returns the result file of the last iteration.
  std::string last_result() const;
  using ResultDisplacements = std::vector<std::variant<SharedField, SharedVector<float>>>;
  /// Begins to write results.
  void write_results(const SharedField &densities, const ResultDisplacements &displacements);
  ResultWriter::Facts facts_of(const IterationRecord &record) const;
  void add_surface(const IterationRecord &record,
                   const std::vector<double> &densities,
                   ResultWriter::Facts &facts);
  /// Returns the checkpoint, which the first call makes.
  Checkpoint &checkpoint();
  /// Begins to write the checkpoint; checkpoint().wait() waits for its end.
  void write_checkpoint(std::vector<SharedField> displacements);
  CheckpointState state_without_displacements() const;
  /// Restores the state. @return lines for the log: the checkpoint, and the entries that changed
  /// since then
  std::string resume();
  /// The entries of the deck for a checkpoint: those of the deck and those set on the command line.
  std::vector<std::pair<std::string, std::string>> entries() const;

  RunContext &run_;
  OutputFolder folder_;
  Optimizer &optimizer_;
  GrowingFile history_;
  ResultWriter writer_;
  bool origin_told_ = false; ///< whether the log has told the origin of surfaces
  std::unique_ptr<Checkpoint> checkpoint_;
  std::exception_ptr failure_; ///< error of a file that must be written
  bool mesh_told_     = false;
  bool makes_surface_ = true;          ///< if the deck asks for it
  std::string begun_result_;           ///< file that writer_ completes in the background
  std::vector<std::string> unwritten_; ///< files due before the end that could not be written
};
} // namespace strut
