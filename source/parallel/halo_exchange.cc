// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/parallel/halo_exchange.h>

#include <algorithm>
#include <numeric>

#include "source/backend/transport.h"

namespace strut
{
namespace
{
/// Returns the messages between the packed entries and the ghosts, in one direction or the other.
template <typename Number, typename Neighbours>
std::vector<Transport::Message> messages(const Neighbours &neighbours,
                                         Array<Number> &all_packed,
                                         Array<Number> &values,
                                         const bool to_ghosts)
{
  std::vector<Transport::Message> messages;
  for (const auto &neighbour : neighbours)
    {
      Number *const packed       = all_packed.data() + neighbour.packed_begin;
      Number *const ghosts       = values.data() + neighbour.ghosts_begin;
      const std::size_t n_packed = neighbour.n_packed * sizeof(Number);
      const std::size_t n_ghosts = neighbour.n_ghosts * sizeof(Number);
      if (to_ghosts)
        messages.push_back({neighbour.rank, packed, n_packed, ghosts, n_ghosts});
      else
        messages.push_back({neighbour.rank, ghosts, n_ghosts, packed, n_packed});
    }
  return messages;
}
} // namespace

template <typename Number>
HaloExchange<Number>::HaloExchange(Backend &backend,
                                   const Communicator &communicator,
                                   const HaloPattern &pattern,
                                   const unsigned int n_components)
  : backend_(backend), transport_(backend.transport(communicator))
{
  std::vector<std::uint32_t> entries;
  for (const HaloPattern::Neighbour &source : pattern.neighbours)
    {
      Neighbour neighbour;
      neighbour.rank         = source.rank;
      neighbour.packed_begin = entries.size();
      neighbour.n_packed     = source.send.size() * n_components;
      neighbour.ghosts_begin = std::size_t(source.ghosts_begin) * n_components;
      neighbour.n_ghosts     = std::size_t(source.ghosts_end - source.ghosts_begin) * n_components;
      for (const std::uint32_t entity : source.send)
        for (unsigned int c = 0; c < n_components; ++c)
          entries.push_back(entity * n_components + c);
      neighbours_.push_back(neighbour);
    }
  packed_entries_ = Array<std::uint32_t>(backend.memory(), entries);
  packed_         = Array<Number>(backend.memory(), entries.size());

  std::vector<std::uint32_t> order(entries.size()), owned, offsets, places;
  std::iota(order.begin(), order.end(), 0u);
  // the entries for a single neighbour are mostly sorted
  if (!std::is_sorted(entries.begin(), entries.end()))
    std::stable_sort(order.begin(), order.end(), [&](const std::uint32_t a, const std::uint32_t b) {
      return entries[a] < entries[b];
    });
  for (const std::uint32_t place : order)
    {
      if (owned.empty() || entries[place] != owned.back())
        {
          owned.push_back(entries[place]);
          offsets.push_back(static_cast<std::uint32_t>(places.size()));
          places.push_back(VectorOperations<Number>::itself);
        }
      places.push_back(place);
    }
  offsets.push_back(static_cast<std::uint32_t>(places.size()));
  owned_   = Array<std::uint32_t>(backend.memory(), owned);
  offsets_ = Array<std::uint32_t>(backend.memory(), offsets);
  places_  = Array<std::uint32_t>(backend.memory(), places);
}

template <typename Number>
void HaloExchange<Number>::update_ghosts(Array<Number> &values)
{
  if (neighbours_.empty())
    return;
  const std::vector<Transport::Message> to_ghosts = messages(neighbours_, packed_, values, true);
  SharedNumbers<Number> shared;
  shared.gathered = packed_entries_.data();
  if (transport_.exchange(to_ghosts, shared, values.data()))
    return;
  backend_.vector_operations<Number>().gather(packed_entries_, values, packed_);
  transport_.begin(to_ghosts);
  transport_.finish();
}

template <typename Number>
void HaloExchange<Number>::add_to_owners(Array<Number> &values)
{
  if (neighbours_.empty())
    return;
  const std::vector<Transport::Message> to_owners = messages(neighbours_, packed_, values, false);
  SharedNumbers<Number> shared;
  shared.rows    = owned_.data();
  shared.offsets = offsets_.data();
  shared.places  = places_.data();
  shared.n_rows  = owned_.size();
  if (transport_.exchange(to_owners, shared, values.data()))
    return;
  transport_.begin(to_owners);
  transport_.finish();
  backend_.vector_operations<Number>().sum_rows(owned_, offsets_, places_, packed_, values);
}

template class HaloExchange<double>;
template class HaloExchange<float>;
} // namespace strut
