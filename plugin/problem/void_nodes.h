// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

#include <deal.II/base/types.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// The locally owned nodes that touch void elements alone. Their supports and forces act through
/// elements of the minimum density, which nobody means; the solve goes on without a word about it.
class VoidNodes
{
public:
  /// Without void elements on any rank nothing is looked at. Collective.
  VoidNodes(
    const dealii::DoFHandler<3, 3> &dof_handler,
    const std::vector<bool> &is_void, ///< of locally owned cells, in the order of the handler
    MPI_Comm communicator);

  /// "NOTE: load 'tip': 3 of its 9 nodes are in void regions only, ..."; empty if there are none. Collective.
  /// @param nodes  by their first DoF, each once
  std::string note(const std::string &whose,
                   const std::vector<dealii::types::global_dof_index> &nodes) const;

private:
  MPI_Comm communicator_;
  bool any_ = false;                                   ///< on some rank
  std::vector<dealii::types::global_dof_index> nodes_; ///< sorted
};
} // namespace strut::plugin
