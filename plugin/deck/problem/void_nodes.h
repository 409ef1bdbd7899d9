// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace strut
{
/// The owned nodes that touch only void elements. Their supports and forces act through elements of
/// the minimum density, which is rarely intended and does not make the solve fail.
class VoidNodes
{
public:
  /// Finds the nodes by the flags of the elements. Does nothing if no rank has void elements.
  /// Collective.
  VoidNodes(const ElementMesh &mesh, MPI_Comm communicator);

  /// Returns "NOTE: load 'tip': 3 of its 9 nodes are in void regions only, ...", or nothing if
  /// there are none. Collective.
  /// @param nodes  owned nodes, each once
  std::string note(const std::string &whose, const std::vector<LocalIndex> &nodes) const;

private:
  MPI_Comm communicator_;
  bool any_ = false;           ///< whether any rank has void elements
  std::vector<bool> is_among_; ///< marks of the owned nodes
};
} // namespace strut
