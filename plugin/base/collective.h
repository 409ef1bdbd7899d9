// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut::plugin
{
/// Point to point, for any number of bytes: MPI counts with int.
void send_bytes(MPI_Comm communicator, int to, const void *data, std::size_t n_bytes);
void receive_bytes(MPI_Comm communicator, int from, void *data, std::size_t n_bytes);

/// Fields of entities that are numbered by keys, brought together on rank 0 in ascending order of
/// the keys: an order that the partition does not change, if the keys do not.
///
/// No count is limited to 32 bits: bytes travel in pieces.
class KeyedField
{
public:
  /// @param keys  of the entities of this rank; each entity belongs to one rank. Collective.
  KeyedField(MPI_Comm communicator, const std::vector<std::uint64_t> &keys);

  /// Number of entities of all ranks, and a hash of all their keys. The same on every rank.
  std::uint64_t n_global() const
  {
    return n_global_;
  }
  std::uint64_t fingerprint() const
  {
    return fingerprint_;
  }

  /// From `[n_local][n_components]` on each rank to `[n_global][n_components]` by key on rank 0;
  /// empty on the others. Collective.
  std::vector<double> gather(const std::vector<double> &values, std::size_t n_components) const;

  /// The way back: the same bits. `sorted` counts on rank 0 only. Collective.
  std::vector<double> scatter(const std::vector<double> &sorted, std::size_t n_components) const;

private:
  MPI_Comm communicator_;
  std::size_t n_local_;
  std::vector<std::uint64_t> n_of_rank_; ///< on rank 0
  std::vector<std::uint64_t> order_;     ///< on rank 0: arrival number of each sorted entity
  std::uint64_t n_global_    = 0;
  std::uint64_t fingerprint_ = 0;
};
} // namespace strut::plugin
