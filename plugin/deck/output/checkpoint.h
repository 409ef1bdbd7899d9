// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/plugin/cell_keys.h>
#include <strut/solvers/krylov/packed_values.h>

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugin/base/atomic_file.h"
#include "plugin/deck/output/shared_field.h"
#include "source/optimization/design_method.h"

namespace strut::plugin
{
/// Before the name of an entry that an option of the command line has set; the value is the option.
constexpr const char *option_of = "option of ";
/// The name of a note of the log among the parameters.
constexpr const char *note_of_run = "note of the run";

/// Everything a run needs to go on where it stopped.
struct CheckpointState
{
  /// Flattened parameters, "Subsection/Entry" and value, as they were; then marks, see option_of and note_of_run.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<IterationRecord> history;
  std::vector<unsigned int> written_results;
  DesignState design; ///< its fields `[n_elements]` of this rank
  /// Per load case `[3 * n_nodes]`.
  std::vector<SharedField> displacements;
  /// Likewise those before them, if solves extrapolate from these: `[3 * n_owned_nodes]`.
  std::vector<PackedValues> displacements_before;
};

/// The checkpoint of a run, one file for all ranks, which must all see its folder: each writes its part
/// of the fields. Elements stand in their order along the curve, nodes in that of their first touch, so a
/// run may go on with another number of ranks. Therefore the mesh is to be that of a MeshMaker. What the
/// file needs of the mesh is computed once. All functions are collective.
class Checkpoint
{
public:
  /// @param cell_keys  of the elements of this rank, see DeckMesh::keys()
  Checkpoint(std::string file_name,
             MPI_Comm communicator,
             const ElementMesh &mesh,
             const CellKeys &cell_keys,
             int n_threads);
  ~Checkpoint();

  /// Write the state in the background, beside the file and renamed: a run that is killed at any time leaves
  /// the old checkpoint or the new one, whole. The old one stays as before_last(). If the write before
  /// has failed, every rank throws its Error; this one is begun nevertheless. Of parameters,
  /// history and written_results those of rank 0 are stored. Ghost values are not read.
  /// @param results  the file gets its name after their end; on several ranks the caller sees to it
  void write(CheckpointState state, std::shared_future<void> results = {});

  /// The displacements of a state that stays as it is, made when their turn comes; both collective.
  struct DisplacementSource
  {
    std::size_t n_cases = 0;
    std::function<std::vector<double>(std::size_t)> now; ///< CheckpointState::displacements
    std::function<PackedValues(std::size_t)> before =
      nullptr; ///< displacements_before, if there are any
  };

  /// As write(), until the file is there: by all threads, and with the displacements of one load case in memory at a time.
  /// Throws the Error of the write before, if that has failed, and then writes nothing.
  /// @param state  without displacements @param outlives  the file must outlive
  void write_now(CheckpointState state,
                 const DisplacementSource &displacements,
                 Outlives outlives = Outlives::machine);

  /// Several ranks: if all have written their parts, the file gets its name. To be called now and then;
  /// write() and wait() do it, too. Throws as wait() if the write has failed by now.
  void proceed();

  /// Until the last state is in the file. If that has failed, every rank throws the same Error, once.
  void wait();

  /// The state in a file, the same bits, ghost values of the displacements included. Throws Error, the
  /// same on every rank, if the file is missing, truncated or damaged, of another version, or of
  /// another mesh.
  CheckpointState read(const std::string &file_name) const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The name of the checkpoint before: "a/checkpoint.strut" gives "a/checkpoint.before-last.strut".
std::string before_last(const std::string &file_name);

/// The parameters alone, before there is a mesh to compare with. Collective; throws as Checkpoint::read().
std::vector<std::pair<std::string, std::string>>
read_checkpoint_parameters(const std::string &file_name, MPI_Comm communicator);

/// Refuse to go on with a changed deck: throws Error that names every entry that differs, with both
/// values, except those in `may_change` (a name "A/B/Entry", or a prefix "A/" for a whole
/// subsection).
/// @return what has changed among the latter, "A/B/Entry: was "1", is now "2"" each
std::vector<std::string>
compare_parameters(const std::string &checkpoint_file,
                   const std::vector<std::pair<std::string, std::string>> &then,
                   const std::vector<std::pair<std::string, std::string>> &now,
                   const std::vector<std::string> &may_change);
} // namespace strut::plugin
