// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/cell_keys.h>
#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "plugin/base/atomic_file.h"
#include "plugin/base/background_steps.h"
#include "plugin/deck/output/checkpoint_format.h"
#include "plugin/deck/output/shared_field.h"
#include "source/base/packed_values.h"
#include "source/optimization/design_method.h"

namespace strut
{
/// Prefix of the name of an entry that an option of the command line has set; the value is the
/// option.
constexpr const char *option_of = "option of ";
/// Name under which notes of the log are stored among the parameters.
constexpr const char *note_of_run = "note of the run";

/// The state that a run needs to resume.
struct CheckpointState
{
  /// Flattened parameters of the run, "Subsection/Entry" and value, followed by marks: see
  /// option_of and note_of_run.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<IterationRecord> history;
  std::vector<unsigned int> written_results;
  /// State of the design method; its element fields are `[n_elements]` of this rank.
  DesignState design;
  /// Displacements of each load case, `[3 * n_nodes]`.
  std::vector<SharedField> displacements;
  /// Displacements before the last ones, `[3 * n_owned_nodes]`, if solves extrapolate from them.
  std::vector<PackedValues> displacements_before;
};

struct UnfinishedCheckpoint;

/// The checkpoint of a run: one file for all ranks, whose folder all ranks must see. Each rank
/// writes its part of the fields. Elements are in their order along the curve, nodes in the order
/// of first use, so a run may resume with another number of ranks. This requires the mesh of a
/// MeshMaker. Facts about the mesh are computed once. All functions are collective.
class Checkpoint
{
public:
  /// @param cell_keys  keys of the elements of this rank, see DeckMesh::keys()
  Checkpoint(std::string file_name,
             MPI_Comm communicator,
             const ElementMesh &mesh,
             const CellKeys &cell_keys,
             int n_threads);
  Checkpoint(const Checkpoint &)            = delete; ///< steps in the background refer to it
  Checkpoint &operator=(const Checkpoint &) = delete;

  /// Writes the state in the background, to a temporary file that is renamed. A run killed at any
  /// time leaves the complete old or new checkpoint. The old one stays as before_last(). If the
  /// previous write failed, every rank throws its Error; this write is begun nevertheless.
  /// Parameters, history and written_results are taken from rank 0. Ghost values are not read.
  /// @param results  the file gets its name when they are finished; on several ranks, the caller
  ///   ensures this
  void write(CheckpointState state, std::shared_future<void> results = {});

  /// Displacements of a state that does not change, made one at a time when needed. Both functions
  /// are collective.
  struct DisplacementSource
  {
    std::size_t n_cases = 0;
    std::function<std::vector<double>(std::size_t)> now; ///< CheckpointState::displacements
    /// CheckpointState::displacements_before, if there are any.
    std::function<PackedValues(std::size_t)> before = nullptr;
  };

  /// Writes like write(), and returns when the file is complete. All threads are used.
  /// Displacements of one load case at a time are in memory. If the previous write failed, throws
  /// its Error and writes nothing.
  /// @param state  state without displacements
  /// @param outlives  the event that the file must outlive
  void write_now(CheckpointState state,
                 const DisplacementSource &displacements,
                 Outlives outlives = Outlives::machine);

  /// Names the file once all ranks have written their parts; does nothing on one rank. To be called
  /// regularly; write() and wait() do it, too. Throws as wait() if the write has already failed.
  void proceed()
  {
    steps_.proceed();
  }

  /// Waits until the last state is in the file. If that has failed, every rank throws the same
  /// Error, once.
  void wait()
  {
    steps_.wait();
  }

  /// Reads the state in a file with the same bits, including ghost values of the displacements.
  /// Throws Error, the same on every rank, if the file is missing, truncated or damaged. Also
  /// throws for another version or another mesh.
  CheckpointState read(const std::string &file_name) const;

private:
  /// Finishes the file once the fields of all ranks are written. Collective on the ranks that share
  /// the file.
  void finish(UnfinishedCheckpoint &next) const;

  const std::string file_name_;
  const Communicator communicator_;
  const ElementMesh &mesh_;
  const int n_threads_;
  const checkpoint_format::CheckpointPart part_;
  const checkpoint_format::MeshFingerprint fingerprint_;
  BackgroundSteps steps_; ///< the last member: the steps use the others
};

/// The name of the previous checkpoint: "a/checkpoint.strut" gives
/// "a/checkpoint.before-last.strut".
std::string before_last(const std::string &file_name);

/// Reads only the parameters, before there is a mesh to compare with. Collective; throws as
/// Checkpoint::read().
std::vector<std::pair<std::string, std::string>>
read_checkpoint_parameters(const std::string &file_name, MPI_Comm communicator);

/// Refuses to resume with a changed deck: throws Error that names every entry that differs, with
/// both values. Entries in `may_change` may differ: a name "A/B/Entry", or a prefix "A/" for a
/// whole subsection.
/// @return the differences among the latter, each as "A/B/Entry: was "1", is now "2""
std::vector<std::string>
compare_parameters(const std::string &checkpoint_file,
                   const std::vector<std::pair<std::string, std::string>> &then,
                   const std::vector<std::pair<std::string, std::string>> &now,
                   const std::vector<std::string> &may_change);
} // namespace strut
