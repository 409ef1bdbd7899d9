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

namespace strut::plugin
{
/// The key of a node on all ranks: a global index, of its first DoF for example.
using NodeKey = dealii::types::global_dof_index;

/// The exchange between ranks: each rank asks the owners of its ghosts for them. Collective.
/// @param wanted  the nodes that each owner is asked for; the ghosts are numbered in this order @param n_before  the first
/// of them @param number_of  the number on this rank of a node that it is asked for
template <typename Key, typename NumberOf>
HaloPattern ask_owners(MPI_Comm communicator,
                       const std::map<unsigned int, std::vector<Key>> &wanted,
                       std::size_t n_before,
                       const NumberOf &number_of)
{
  std::map<unsigned int, HaloPattern::Neighbour> neighbours; // ascending ranks
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
