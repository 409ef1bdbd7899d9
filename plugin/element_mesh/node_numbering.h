// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/types.h>

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <unordered_map>
#include <vector>

namespace strut::plugin
{
/// What a node goes by on all ranks: a global index, of its first DoF say.
using NodeKey = dealii::types::global_dof_index;

/// Numbers of the nodes on this rank: the owned ones by first touch, then the ghosts by owner and
/// key.
class NodeNumbering
{
public:
  /// Numbers the owned ones among the keys.
  /// @param keys  in the order of the elements, as often as they occur
  NodeNumbering(const dealii::IndexSet &owned, const std::vector<NodeKey> &keys);

  /// Numbers those of the keys that other ranks own, in place of the ghosts there were. Collective.
  /// @return who sends which: each rank asks the owners of its ghosts for them
  HaloPattern number_ghosts(const std::vector<NodeKey> &keys, MPI_Comm communicator);

  std::size_t n_owned() const
  {
    return n_owned_;
  }
  std::size_t n_nodes() const
  {
    return n_owned_ + ghosts_.size();
  }
  LocalIndex operator()(NodeKey key) const;

private:
  dealii::IndexSet owned_keys_;
  std::vector<LocalIndex> owned_; ///< by the key's position in the index set
  std::unordered_map<NodeKey, LocalIndex> ghosts_;
  std::size_t n_owned_ = 0;
};
} // namespace strut::plugin
