// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

namespace strut
{
class Backend;

/// A level and those coarser than it as one rank would have them: the elements of all ranks, rank
/// by rank, and the owned nodes in the same order.
struct WholeLevels
{
  ElementMesh mesh;      ///< without prescribed values, volumes, flags and dependent DoFs
  MeshHierarchy coarser; ///< levels coarser than `mesh`
};

/// Gathers the levels from `coarser[first]` on, on each rank. They must have no dependent DoFs.
/// Collective.
WholeLevels gather_levels(Backend &backend,
                          const Communicator &communicator,
                          const MeshHierarchy &coarser,
                          std::size_t first);
} // namespace strut
