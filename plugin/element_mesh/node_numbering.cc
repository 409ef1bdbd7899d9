// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/node_numbering.h"

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <algorithm>
#include <limits>

namespace strut
{
namespace
{
constexpr LocalIndex untouched = std::numeric_limits<LocalIndex>::max();
}

NodeNumbering::NodeNumbering(const dealii::IndexSet &owned, const std::vector<NodeKey> &keys)
  : owned_keys_(owned), owned_(owned.n_elements(), untouched)
{
  for (const NodeKey key : keys)
    if (owned_keys_.is_element(key))
      {
        LocalIndex &number = owned_[owned_keys_.index_within_set(key)];
        if (number == untouched)
          number = static_cast<LocalIndex>(n_owned_++);
      }
}

LocalIndex NodeNumbering::operator()(const NodeKey key) const
{
  return owned_keys_.is_element(key) ? owned_[owned_keys_.index_within_set(key)] : ghosts_.at(key);
}

HaloPattern NodeNumbering::number_ghosts(const std::vector<NodeKey> &keys, MPI_Comm communicator)
{
  ghosts_.clear();
  if (Communicator(communicator).size() == 1)
    return {};

  // (1) The owners of the ghosts.
  std::vector<NodeKey> others;
  for (const NodeKey key : keys)
    if (!owned_keys_.is_element(key))
      others.push_back(key);
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  // deal.II would wait forever for the owner of an invalid key.
  if (Communicator(communicator).any(!others.empty() && others.back() >= owned_keys_.size()))
    throw Error(
      "A cell has a node that no rank has numbered.\n  Distribute the degrees of freedom anew.");
  dealii::IndexSet other_keys(owned_keys_.size());
  other_keys.add_indices(others.begin(), others.end());
  other_keys.compress();
  const std::vector<unsigned int> owners =
    dealii::Utilities::MPI::compute_index_owner(owned_keys_, other_keys, communicator);

  // (2) Numbers of the ghosts, and messages to their owners.
  std::map<unsigned int, std::vector<NodeKey>> wanted; // ranks and keys in ascending order
  for (std::size_t k = 0; k < others.size(); ++k)
    wanted[owners[k]].push_back(others[k]);
  for (const auto &[rank, ghosts] : wanted)
    for (const NodeKey key : ghosts)
      ghosts_.emplace(key, static_cast<LocalIndex>(n_nodes()));
  return ask_owners(communicator, wanted, n_owned_, *this);
}
} // namespace strut
