// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strut::plugin
{
/// The bytes of all ranks, those of one after those of the other, cut into blocks of one size and
/// compressed by zlib: every rank compresses the blocks that begin in its part, with all its threads.
/// The blocks depend on the bytes alone, neither on ranks nor on threads.
class CompressedBytes
{
public:
  static constexpr std::uint64_t block_size = std::uint64_t(1) << 17;

  /// @param mine  the bytes of this rank; may be empty. Collective.
  CompressedBytes(MPI_Comm communicator, std::string_view mine);

  /// Bytes of all ranks before compression.
  std::uint64_t n_bytes() const
  {
    return begins_.back();
  }
  /// The blocks that begin in this rank's part.
  const std::vector<std::string> &blocks() const
  {
    return blocks_;
  }

private:
  /// The rank that has a byte.
  unsigned int owner(std::uint64_t position) const;

  /// Bytes that this rank has of a block that begins on another rank.
  std::uint64_t head() const;

  /// This rank's bytes without head(), and those of the ranks behind that end its last block.
  std::string whole_blocks(MPI_Comm communicator, std::string_view mine) const;

  unsigned int rank_ = 0;
  std::vector<std::uint64_t> begins_; ///< of each rank's bytes among all, and their end
  std::vector<std::string> blocks_;
};
} // namespace strut::plugin
