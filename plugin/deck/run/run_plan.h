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

namespace strut::plugin
{
/// What a backend takes for a run.
struct MemoryEstimate
{
  std::string backend;
  bool is_device = false;
  std::optional<double> bytes; ///< on the fullest rank; none where the backend has no such operator
  MemoryPlan parts;            ///< the most of each on any rank
  double n_elements = 0.;      ///< likewise
  double host_bytes = 0.;      ///< beside a device
};

struct DiskEstimate
{
  std::size_t n_results = 0, n_checkpoints = 0; ///< of the latter two are kept
  double result_bytes = 0., checkpoint_bytes = 0.;
};

/// Seconds of all solves with few PCG iterations and with many, as measured on a cube.
struct TimeEstimate
{
  std::string obstacle; ///< why there is none
  unsigned int n_solves = 0;
  double few_iterations = 0., many_iterations = 0.;
  double least = 0., most = 0.;
  std::size_t n_timed = 0; ///< elements of the cube
};

/// A run before it computes anything: with which preconditioner, and the memory, disk and time that it will take. All
/// members but settings() are collective.
class RunPlan
{
public:
  /// Set up the problem of the deck, and choose the preconditioner.
  /// @throws EntryError, Error if that cannot be done, or method, mesh and parameters do not fit
  RunPlan(DeckParameters &parameters, const Communicator &communicator);

  /// `Solver` of the deck, with that preconditioner.
  const StateSettings &settings() const
  {
    return settings_;
  }
  /// Remarks on the numbers in the deck, for the user, line by line.
  std::string remarks() const;

  std::vector<MemoryEstimate> memory() const;
  DiskEstimate disk() const;
  TimeEstimate time() const;

  /// Throws Error if maps, method or responses could not begin: for decks that are only validated.
  /// @return the regions of the responses, for the log
  std::string check_method() const;
  /// Throws OutOfMemory if the backend has too little, and Error, with the list, if it has no such operator.
  void check_memory(const ChosenBackend &backend) const;

private:
  /// About entries that the deck sets and nothing reads.
  std::string notes_on_unread_entries() const;
  /// About the map 'overhang', which has a grid of cubes, where elements are none.
  std::string note_on_cubes() const;
  /// The memory that a run will take with the strategies of a backend; null if the operator is not among them. Collective.
  std::unique_ptr<MemoryPlan> plan(const StrategyLists &strategies, bool on_device) const;
  bool prescribes_displacements() const; ///< on any rank
  bool takes_stresses() const;           ///< at centres of elements: responses, or results
  /// Throws EntryError for a choice that knows isotropic solids alone, where there are others. Collective.
  void check_solids() const;
  /// Throws EntryError where a response asks for modes of vibration of which planes of symmetry hide some. Collective.
  void check_modes() const;
  /// Of the whole run: for each field of each design, the second ones of responses among them, and for results of a design whose
  /// blueprint is not analysed. Collective.
  unsigned int n_solves() const;
  /// Displacements of each load case and set, those before them, and adjoints; `[3 * n_nodes]` each.
  double n_vectors_of_checkpoint() const;
  double n_fields_of_checkpoint() const; ///< of elements
  /// Beside a device, on the fullest rank. Collective.
  double host_bytes() const;

  const DeckParameters &parameters_;
  Communicator communicator_;
  std::string preconditioner_; ///< a description
  StateSettings settings_;
  /// OptimizationParameters::map_memory_estimate(), by on_device, each once: it searches the mesh.
  mutable std::array<std::optional<double>, 2> map_bytes_;
};

/// Throw OutOfMemory with needed, free and what to change, if a plan exceeds what is free.
void require_memory(const MemoryPlan &plan,
                    double available,
                    const std::string &backend,
                    const std::string &strategy);

/// Throw the EntryError of a radius that no filter of this mesh can use: larger than the mesh, or so small that
/// its weights are lost to rounding. 0 is no filter.
void check_filter_radius(double radius, const MeshSummary &summary);

/// The radius in edges of the elements, with a NOTE where it does little or too much; lines for the log.
std::string describe_filter_radius(double radius, const MeshSummary &summary);
} // namespace strut::plugin
