// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/types.h>

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strut
{
/// Key of a node, the same on all ranks: a global index, such as that of its first DoF.
using NodeKey = dealii::types::global_dof_index;

/// Exchange between ranks, in which each rank asks the owners of its ghosts for them. Collective.
/// @param wanted  nodes that each owner is asked for; the ghosts are numbered in this order
/// @param n_before  number of the first ghost
/// @param number_of  number on this rank of a node that another rank asks for
template <typename Key, typename NumberOf>
HaloPattern ask_owners(MPI_Comm communicator,
                       const std::map<unsigned int, std::vector<Key>> &wanted,
                       std::size_t n_before,
                       const NumberOf &number_of)
{
  std::map<unsigned int, HaloPattern::Neighbour> neighbours; // ranks in ascending order
  for (const auto &[rank, keys] : wanted)
    {
      neighbours[rank].ghosts_begin = static_cast<std::uint32_t>(n_before);
      n_before += keys.size();
      neighbours[rank].ghosts_end = static_cast<std::uint32_t>(n_before);
    }
  for (const auto &[rank, asked] : dealii::Utilities::MPI::some_to_some(communicator, wanted))
    for (const Key &key : asked)
      neighbours[rank].send.push_back(number_of(key));
  HaloPattern pattern;
  for (auto &[rank, neighbour] : neighbours)
    {
      neighbour.rank = static_cast<int>(rank);
      pattern.neighbours.push_back(std::move(neighbour));
    }
  return pattern;
}

/// Numbers of the nodes on this rank: the owned nodes by first touch, then the ghosts by owner and
/// key.
class NodeNumbering
{
public:
  /// Numbers the owned nodes among the keys.
  /// @param keys  in the order of the elements, with repetitions
  NodeNumbering(const dealii::IndexSet &owned, const std::vector<NodeKey> &keys);

  /// Numbers the nodes among the keys that other ranks own, replacing previous ghosts. Collective.
  /// @return the exchange pattern: each rank asks the owners of its ghosts for them
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
  /// Number of each owned node, by the position of its key in the index set.
  std::vector<LocalIndex> owned_;
  std::unordered_map<NodeKey, LocalIndex> ghosts_;
  std::size_t n_owned_ = 0;
};
} // namespace strut
