// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/parallel/halo_sum.h"
#include "source/backend/mpi_transport.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace strut
{
namespace
{
/// A node that several ranks have.
struct SharedNode
{
  int owner              = 0;
  std::uint32_t by_owner = 0; ///< number on the owner
  std::uint32_t node     = 0; ///< number on this rank
  std::vector<int> ranks;     ///< the ranks that have it, ascending, this one included
};

/// Sends a list of numbers to each neighbour; returns their lists for this rank. Collective among
/// neighbours.
std::vector<std::vector<std::uint32_t>>
exchange(const Communicator &communicator,
         const HaloPattern &pattern,
         const std::vector<std::vector<std::uint32_t>> &lists)
{
  const std::size_t n = pattern.neighbours.size();
  std::vector<std::size_t> sizes(n), their_sizes(n);
  std::vector<std::vector<std::uint32_t>> theirs(n);
  std::vector<Transport::Message> messages(n);
  MpiTransport transport(communicator);
  for (std::size_t k = 0; k < n; ++k)
    {
      sizes[k]    = lists[k].size();
      messages[k] = {pattern.neighbours[k].rank,
                     &sizes[k],
                     sizeof(std::size_t),
                     &their_sizes[k],
                     sizeof(std::size_t)};
    }
  transport.begin(messages);
  transport.finish();
  for (std::size_t k = 0; k < n; ++k)
    {
      theirs[k].resize(their_sizes[k]);
      messages[k] = {pattern.neighbours[k].rank,
                     lists[k].data(),
                     lists[k].size() * sizeof(std::uint32_t),
                     theirs[k].data(),
                     theirs[k].size() * sizeof(std::uint32_t)};
    }
  transport.begin(messages);
  transport.finish();
  return theirs;
}

/// The shared nodes of this rank in an order that is the same on all ranks: by owner, and by number
/// on the owner.
std::vector<SharedNode> shared_nodes(const Communicator &communicator, const HaloPattern &pattern)
{
  // (1) Owners know which ranks have their nodes. Sorted arrays are several times faster here than
  // a tree of a hundred thousand nodes.
  std::vector<std::pair<std::uint32_t, int>> ghosts; // node, and a rank that has it as a ghost
  for (const HaloPattern::Neighbour &neighbour : pattern.neighbours)
    for (const std::uint32_t node : neighbour.send)
      ghosts.emplace_back(node, neighbour.rank);
  if (!std::is_sorted(ghosts.begin(), ghosts.end()))
    std::sort(ghosts.begin(), ghosts.end());
  std::vector<SharedNode> shared; // sorted by node
  for (auto ghost = ghosts.begin(); ghost != ghosts.end();)
    {
      SharedNode own{communicator.rank(), ghost->first, ghost->first, {}};
      for (; ghost != ghosts.end() && ghost->first == own.node; ++ghost)
        own.ranks.push_back(ghost->second);
      own.ranks.insert(std::lower_bound(own.ranks.begin(), own.ranks.end(), communicator.rank()),
                       communicator.rank());
      shared.push_back(std::move(own));
    }

  // (2) Send the others the node's number on their side, the number of its ranks, and these ranks.
  std::vector<std::vector<std::uint32_t>> lists;
  for (const HaloPattern::Neighbour &neighbour : pattern.neighbours)
    {
      std::vector<std::uint32_t> list;
      for (const std::uint32_t node : neighbour.send)
        {
          const std::vector<int> &ranks =
            std::lower_bound(shared.begin(),
                             shared.end(),
                             node,
                             [](const SharedNode &a, const std::uint32_t b) { return a.node < b; })
              ->ranks;
          list.push_back(node);
          list.push_back(static_cast<std::uint32_t>(ranks.size()));
          list.insert(list.end(), ranks.begin(), ranks.end());
        }
      lists.push_back(std::move(list));
    }
  lists = exchange(communicator, pattern, lists);
  for (std::size_t k = 0; k < lists.size(); ++k)
    {
      const HaloPattern::Neighbour &neighbour = pattern.neighbours[k];
      auto next                               = lists[k].begin();
      for (std::uint32_t node = neighbour.ghosts_begin; node < neighbour.ghosts_end; ++node)
        {
          const std::uint32_t by_owner = *next++;
          const auto n_ranks           = static_cast<std::ptrdiff_t>(*next++);
          shared.push_back(
            {neighbour.rank, by_owner, node, std::vector<int>(next, next + n_ranks)});
          next += n_ranks;
        }
    }
  std::sort(shared.begin(), shared.end(), [](const SharedNode &a, const SharedNode &b) {
    return std::tie(a.owner, a.by_owner) < std::tie(b.owner, b.by_owner);
  });
  return shared;
}
} // namespace

template <typename Number>
HaloSum<Number>::HaloSum(Backend &backend,
                         const Communicator &communicator,
                         const HaloPattern &pattern,
                         const unsigned int n_components,
                         const To to)
  : backend_(backend), transport_(backend.transport(communicator))
{
  std::vector<SharedNode> shared = shared_nodes(communicator, pattern);

  // (1) The entries for each neighbour. Received ones have the same order.
  std::map<int, std::vector<std::uint32_t>> sent;
  for (const SharedNode &node : shared)
    for (const int rank : node.ranks)
      if (rank != communicator.rank())
        sent[rank].push_back(node.node);
  std::vector<std::uint32_t> entries;
  std::map<int, std::size_t> next; // received entry of each neighbour
  for (const auto &[rank, nodes] : sent)
    {
      neighbours_.push_back({rank, entries.size(), nodes.size() * n_components});
      next[rank] = entries.size();
      for (const std::uint32_t node : nodes)
        for (unsigned int c = 0; c < n_components; ++c)
          entries.push_back(node * n_components + c);
    }

  // (2) The sums.
  std::vector<std::uint32_t> rows, offsets, places;
  aside_ = entries.size();
  for (const SharedNode &node : shared)
    {
      for (unsigned int c = 0; c < n_components; ++c)
        {
          rows.push_back(node.node * n_components + c);
          offsets.push_back(static_cast<std::uint32_t>(places.size()));
          if (to == To::shared_values)
            places.push_back(static_cast<std::uint32_t>(aside_ + rows.size() - 1));
          for (const int rank : node.ranks)
            places.push_back(rank == communicator.rank()
                               ? VectorOperations<Number>::itself
                               : static_cast<std::uint32_t>(next.at(rank) + c));
        }
      for (const int rank : node.ranks)
        if (rank != communicator.rank())
          next.at(rank) += n_components;
    }
  offsets.push_back(static_cast<std::uint32_t>(places.size()));

  Memory &memory = backend.memory();
  sent_entries_  = Array<std::uint32_t>(memory, entries);
  sent_          = Array<Number>(memory, entries.size());
  received_ =
    Array<Number>(memory,
                  entries.size() + (to == To::shared_values ? rows.size() : std::size_t(0)));
  shared_  = Array<std::uint32_t>(memory, rows);
  offsets_ = Array<std::uint32_t>(memory, offsets);
  places_  = Array<std::uint32_t>(memory, places);
}

template <typename Number>
void HaloSum<Number>::set_aside(Array<Number> &values)
{
  if (!neighbours_.empty())
    backend_.vector_operations<Number>().take(shared_, values, aside_, received_);
}

template <typename Number>
void HaloSum<Number>::add(Array<Number> &values)
{
  if (neighbours_.empty())
    return;
  std::vector<Transport::Message> messages;
  for (const Neighbour &neighbour : neighbours_)
    messages.push_back({neighbour.rank,
                        sent_.data() + neighbour.begin,
                        neighbour.n * sizeof(Number),
                        received_.data() + neighbour.begin,
                        neighbour.n * sizeof(Number)});
  SharedNumbers<Number> shared;
  shared.gathered   = sent_entries_.data();
  shared.rows       = shared_.data();
  shared.offsets    = offsets_.data();
  shared.places     = places_.data();
  shared.n_rows     = shared_.size();
  shared.sends_rows = true;
  shared.in         = received_.data();
  if (transport_.exchange(messages, shared, values.data()))
    return;
  const auto &vectors = backend_.vector_operations<Number>();
  vectors.gather(sent_entries_, values, sent_);
  transport_.begin(messages);
  transport_.finish();
  vectors.sum_rows(shared_, offsets_, places_, received_, values);
}

template class HaloSum<double>;
template class HaloSum<float>;
} // namespace strut
