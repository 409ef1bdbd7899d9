// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/memory_plan.h>
#include <strut/backend/timing.h>
#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/element/solids.h>
#include <strut/mesh/hierarchy.h>

#include <vector>

namespace strut
{
/// The part of a structure on this rank. Meshes and solids must outlive everything that is made
/// from it.
struct Structure
{
  const ElementMesh &mesh;
  Material material = {};
  /// The meshes that `mesh` was refined from, and background cells.
  const MeshHierarchy &coarser = no_coarser_meshes();
  /// Solids other than `material`. A StateSolver multiplies their numbers by its factors of
  /// stiffness. Operators and preconditioners get the products.
  const Solids &solids = Solids::none();
  /// Constrained DoFs in the place of the mesh's, owned ones and ghosts, ascending: modes of
  /// vibration are those of the mesh and of each of these. A part of a symmetric body has the modes
  /// of the whole so, as each of them keeps or changes its sign at a plane.
  const std::vector<std::vector<LocalIndex>> &supports_of_modes = no_other_supports();

  /// Masses that do not design, of owned nodes, `[n_owned_nodes]`; empty: none on this rank. They
  /// count in modes of vibration.
  const std::vector<double> &masses = no_masses();

  static const MeshHierarchy &no_coarser_meshes()
  {
    static const MeshHierarchy none;
    return none;
  }
  static const std::vector<double> &no_masses()
  {
    static const std::vector<double> none;
    return none;
  }
  static const std::vector<std::vector<LocalIndex>> &no_other_supports()
  {
    static const std::vector<std::vector<LocalIndex>> none;
    return none;
  }
};

/// The law of a structure's solids. Collective.
Law law_of_solids(const Communicator &communicator, const Structure &structure);

/// The backend, the ranks and the timing table of a computation. Backend and table must outlive
/// everything that is made with them.
struct Execution
{
  Backend &backend;
  Communicator communicator;
  TimingTable &timing;
};

/// The size of this rank's part, for memory plans. Collective.
///
/// @param on_device  whether the backend's memory is that of a GPU
MeshSize size_of(const Communicator &communicator, const Structure &structure, bool on_device);
} // namespace strut
