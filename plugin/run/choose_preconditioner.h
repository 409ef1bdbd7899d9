// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <string>

namespace strut::plugin
{
/// What a run solves with, and why.
struct ChosenPreconditioner
{
  std::string name; ///< "jacobi" or "multigrid"
  std::string text; ///< for the log: levels, or why there is no multigrid
};

/// Decide between multigrid and Jacobi.
///
/// @param wanted  "auto", "jacobi" or "multigrid", as in the deck
/// @param precision  as in the deck
/// @throws EntryError if multigrid, or the mixed precision that needs it, is asked for and cannot be
/// had: a flat mesh, or a coarsest mesh that is too large for a direct solver. Collective.
ChosenPreconditioner choose_preconditioner(const std::string &wanted,
                                           const std::string &precision,
                                           const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const MeshHierarchy &coarser);
} // namespace strut::plugin
