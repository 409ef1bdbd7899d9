// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/base/choose_backend.h"
#include "plugin/deck/run/deck_parameters.h"

namespace strut
{
/// Memory that a run needs with a backend.
struct MemoryEstimate
{
  std::string backend;
  bool is_device = false;
  /// Bytes of the fullest rank; none if the backend has no such operator.
  std::optional<double> bytes;
  MemoryPlan parts;       ///< maximum of each part over the ranks
  double n_elements = 0.; ///< maximum over the ranks
  double host_bytes = 0.; ///< host memory in addition to a device
};

struct DiskEstimate
{
  std::size_t n_results = 0, n_checkpoints = 0; ///< two checkpoints are kept
  double result_bytes = 0., checkpoint_bytes = 0.;
};

/// Seconds of all solves with few and with many PCG iterations, extrapolated from a measurement on
/// a cube.
struct TimeEstimate
{
  std::string obstacle; ///< why there is no estimate
  unsigned int n_solves = 0;
  double few_iterations = 0., many_iterations = 0.;
  double least = 0., most = 0.;
  std::size_t n_timed = 0; ///< number of elements of the cube
};

/// A run before it computes anything: the preconditioner, and estimates of memory, disk and time.
/// All members except settings() are collective.
class RunPlan
{
public:
  /// Sets up the problem of the deck, and chooses the preconditioner.
  /// @throws EntryError, Error if that fails, or if method, mesh and parameters do not match
  RunPlan(DeckParameters &parameters, const Communicator &communicator);

  /// The settings of `Solver` in the deck, with the chosen preconditioner.
  const StateSettings &settings() const
  {
    return settings_;
  }
  /// Remarks on the numbers in the deck for the user, one per line.
  std::string remarks() const;

  std::vector<MemoryEstimate> memory() const;
  DiskEstimate disk() const;
  TimeEstimate time() const;

  /// Throws Error if maps, method or responses could not begin, for decks that are only validated.
  /// @return the regions of the responses, for the log
  std::string check_method() const;
  /// Throws OutOfMemory if the backend has too little memory. Throws Error with the list of
  /// operators if it does not have the one of the deck.
  void check_memory(const ChosenBackend &backend) const;

private:
  /// Notes on entries that the deck sets and nothing reads.
  std::string notes_on_unread_entries() const;
  /// Note on the map 'overhang', which uses a grid of cubes, for elements that are not cubes.
  std::string note_on_cubes() const;
  /// Memory of a run with the strategies of a backend; null if the operator is not among them.
  /// Collective.
  std::unique_ptr<MemoryPlan> plan(const StrategyLists &strategies, bool on_device) const;
  /// Whether any rank prescribes displacements.
  bool prescribes_displacements() const;
  /// Whether responses or results need stresses at centres of elements.
  bool takes_stresses() const;
  /// Throws EntryError for a choice that supports only isotropic solids, if there are others.
  /// Collective.
  void check_solids() const;
  /// Throws EntryError if a response asks for modes of vibration and planes of symmetry hide some
  /// of them. Collective.
  void check_modes() const;
  /// Number of solves of the whole run: for each field of each design, including second solves of
  /// responses. Results of designs whose blueprint is not analysed need further solves. Collective.
  unsigned int n_solves() const;
  /// Number of vectors of `[3 * n_nodes]`: displacements of each load case and set, those before
  /// them, and adjoints.
  double n_vectors_of_checkpoint() const;
  /// Number of fields of elements.
  double n_fields_of_checkpoint() const;
  /// Bytes of host memory in addition to a device, on the fullest rank. Collective.
  double host_bytes() const;

  const DeckParameters &parameters_;
  Communicator communicator_;
  std::string preconditioner_; ///< a description
  StateSettings settings_;
  /// Results of OptimizationParameters::map_memory_estimate() by on_device, stored because it
  /// searches the mesh.
  mutable std::array<std::optional<double>, 2> map_bytes_;
};

/// Throws OutOfMemory with needed and free bytes and advice if a plan exceeds the free memory.
void require_memory(const MemoryPlan &plan,
                    double available,
                    const std::string &backend,
                    const std::string &strategy);

/// Throws EntryError for a radius that no filter of this mesh can use. It is larger than the mesh,
/// or so small that rounding removes its weights. The radius 0 means no filter.
void check_filter_radius(double radius, const MeshSummary &summary);

/// The radius in edges of elements as lines for the log, with a NOTE if it has little or too much
/// effect.
std::string describe_filter_radius(double radius, const MeshSummary &summary);
} // namespace strut
