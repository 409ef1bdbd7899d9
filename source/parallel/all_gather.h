// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/transport.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>

#include <vector>

namespace strut
{
/// Gathers the arrays of all ranks on every rank, one after another, in the memories of the
/// backends.
template <typename Number>
class AllGather
{
public:
  /// Collective.
  ///
  /// @param n_own  number of entries of this rank
  AllGather(Backend &backend, const Communicator &communicator, const std::size_t n_own)
    : memory_(backend.memory())
    , transport_(backend.transport(communicator))
    , rank_(communicator.rank())
    , begins_(begins_over_ranks(communicator, n_own))
  {}

  std::size_t n_all() const
  {
    return begins_.back();
  }

  /// Gathers the arrays. Collective.
  ///
  /// @param own  `[>= n_own]`
  /// @param all  `[n_all]`, overwritten
  void gather(const Array<Number> &own, Array<Number> &all)
  {
    std::vector<Transport::Message> messages;
    for (int rank = 0; rank + 1 < static_cast<int>(begins_.size()); ++rank)
      if (rank != rank_)
        messages.push_back(
          {rank, own.data(), bytes_of(rank_), all.data() + begins_[rank], bytes_of(rank)});
    if (!messages.empty())
      transport_.begin(messages);
    if (bytes_of(rank_) > 0)
      memory_.copy(all.data() + begins_[rank_], own.data(), bytes_of(rank_));
    if (!messages.empty())
      transport_.finish();
  }

  /// Copies the part of this rank.
  ///
  /// @param all  `[n_all]`
  /// @param own  `[>= n_own]`
  void take_own(const Array<Number> &all, Array<Number> &own)
  {
    if (bytes_of(rank_) > 0)
      memory_.copy(own.data(), all.data() + begins_[rank_], bytes_of(rank_));
  }

private:
  std::size_t bytes_of(const int rank) const
  {
    return (begins_[rank + 1] - begins_[rank]) * sizeof(Number);
  }

  Memory &memory_;
  Transport &transport_;
  int rank_;
  std::vector<std::size_t> begins_; ///< `[n_ranks + 1]`
};
} // namespace strut
