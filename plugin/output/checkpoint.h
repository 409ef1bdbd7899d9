// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/optimization/simp.h>

#include <mpi.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// Everything a run needs to go on where it stopped.
struct CheckpointState
{
  /// Flattened parameters, "Subsection/Entry" and value, as they were.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<IterationRecord> history;
  std::vector<unsigned int> written_results;
  std::vector<double> next_design;                ///< `[n_elements]` of this rank
  std::vector<std::vector<double>> displacements; ///< per load case `[3 * n_nodes]`
};

/// Write one file for all ranks, beside `file_name` and renamed: a run that is killed at any time
/// leaves the old checkpoint or the new one, whole. Collective.
///
/// Element fields are stored in the order of deal.II's global active cells, nodal fields by a key
/// that does not depend on the partition, so that a run may go on with another number of ranks.
///
/// @param global_cells  global active cell index of each element of this rank
void write_checkpoint(const std::string &file_name,
                      MPI_Comm communicator,
                      const ElementMesh &mesh,
                      const std::vector<std::uint64_t> &global_cells,
                      const CheckpointState &state);

/// Read it back. Collective. Throws Error if the file is missing, truncated, of another version, or
/// of another mesh.
CheckpointState read_checkpoint(const std::string &file_name,
                                MPI_Comm communicator,
                                const ElementMesh &mesh,
                                const std::vector<std::uint64_t> &global_cells);

/// Refuse to go on with a changed deck: throws Error that names every entry that differs, with both
/// values, except those in `may_change` (a name "A/B/Entry", or a prefix "A/" for a whole subsection).
void compare_parameters(const std::string &checkpoint_file,
                        const std::vector<std::pair<std::string, std::string>> &then,
                        const std::vector<std::pair<std::string, std::string>> &now,
                        const std::vector<std::string> &may_change);
} // namespace strut::plugin
