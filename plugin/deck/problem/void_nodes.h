// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// The owned nodes that touch void elements alone. Their supports and forces act through elements of the
/// minimum density, which nobody means; the solve goes on without a word about it.
class VoidNodes
{
public:
  /// From the flags of the elements. Without void elements on any rank nothing is looked at. Collective.
  VoidNodes(const ElementMesh &mesh, MPI_Comm communicator);

  /// "NOTE: load 'tip': 3 of its 9 nodes are in void regions only, ..."; empty if there are none. Collective.
  /// @param nodes  owned ones, each once
  std::string note(const std::string &whose, const std::vector<LocalIndex> &nodes) const;

private:
  MPI_Comm communicator_;
  bool any_ = false;           ///< on some rank
  std::vector<bool> is_among_; ///< by owned node
};
} // namespace strut::plugin
