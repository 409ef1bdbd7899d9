// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "plugin/base/choose_backend.h"
#include "plugin/deck/run/deck_parameters.h"

namespace strut
{
/// A run before it computes anything: checks of the parameters with the structure, the
/// preconditioner, and the memory.
class RunPlan
{
public:
  /// Chooses the preconditioner. Collective.
  /// @param parameters  after make_structure()
  /// @throws EntryError, Error if that fails, or if method, mesh and parameters do not match
  RunPlan(const DeckParameters &parameters, const Communicator &communicator);

  const DeckParameters &parameters;
  Communicator communicator;
  std::string preconditioner; ///< a description of the chosen one
  StateSettings settings;     ///< with the chosen preconditioner

  /// Whether any rank prescribes displacements. Collective.
  bool prescribes_displacements() const;
  /// Memory of a run with the strategies of a backend; null if the operator is not among them.
  /// Collective.
  std::unique_ptr<MemoryPlan> memory_plan(const StrategyLists &strategies, bool on_device) const;

  /// Throws Error if maps, method or responses could not begin, for decks that are only validated.
  /// Collective.
  /// @return the regions of the responses, for the log
  std::string check_method() const;
  /// Throws OutOfMemory if the backend has too little memory. Throws Error with the list of
  /// operators if it does not have the one of the deck. Collective.
  void check_memory(const ChosenBackend &backend) const;

private:
  /// Throws EntryError for a choice that supports only isotropic solids, if there are others.
  /// Collective.
  void check_solids() const;
  /// Throws EntryError if a response asks for modes of vibration, and the precision is too low or
  /// planes of symmetry hide some of them. Collective.
  void check_modes() const;

  /// Results of OptimizationParameters::map_memory_estimate() by on_device, stored because it
  /// searches the mesh.
  mutable std::array<std::optional<double>, 2> map_bytes_;
};

/// The maximum over all ranks of each part. Collective.
MemoryPlan largest_parts(const MemoryPlan &plan, const Communicator &communicator);

/// Throws OutOfMemory with needed and free bytes and advice if a plan exceeds the free memory.
void require_memory(const MemoryPlan &plan,
                    double available,
                    const std::string &backend,
                    const std::string &strategy);
} // namespace strut
