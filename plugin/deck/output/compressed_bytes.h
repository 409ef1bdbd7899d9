// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace strut
{
/// Bytes of a rank, made on request.
struct ByteSource
{
  std::size_t n_bytes = 0;
  /// Writes the bytes [first, first + n) to `place`. Several threads may call it.
  std::function<void(std::size_t first, std::size_t n, char *place)> fill;
};

/// The bytes of all ranks, rank after rank, cut into blocks of one size and compressed in zlib's
/// format. Every rank compresses the blocks that begin in its part, with all its threads. Blocks
/// that would hardly shrink are stored uncompressed in this format. The blocks depend only on the
/// bytes, not on ranks or threads. Each thread has one block in memory, and at most four compressed
/// blocks per thread wait.
class CompressedBytes
{
public:
  static constexpr std::uint64_t block_size = std::uint64_t(1) << 17;

  /// Makes an object for each source. Each rank gets the ends of its last blocks from the following
  /// ranks. Collective.
  static std::vector<CompressedBytes> of(MPI_Comm communicator, std::vector<ByteSource> sources);

  /// Bytes of all ranks before compression.
  std::uint64_t n_bytes() const
  {
    return begins_.back();
  }
  /// Number of blocks of all ranks.
  std::uint64_t n_blocks() const
  {
    return blocks_before(begins_.back());
  }
  /// The first block that begins in this rank's part.
  std::uint64_t first_block() const
  {
    return blocks_before(begins_[rank_]);
  }
  std::size_t n_own_blocks() const
  {
    return blocks_before(begins_[rank_ + 1]) - first_block();
  }

  /// Compresses this rank's blocks and passes each to `take` with its position. The blocks follow
  /// each other from `place`. Calls come in any order and from several threads.
  /// @return sizes of the blocks
  std::vector<std::uint64_t>
  write(int n_threads,
        std::uint64_t place,
        const std::function<void(std::uint64_t place, std::string_view block)> &take) const;

  /// Drops the source; the numbers of blocks stay valid.
  void forget_bytes();

private:
  CompressedBytes(unsigned int rank, std::vector<std::uint64_t> begins, ByteSource source);

  /// Number of blocks that begin before a byte.
  static std::uint64_t blocks_before(const std::uint64_t position)
  {
    return (position + block_size - 1) / block_size;
  }

  /// The rank that has a byte.
  unsigned int owner(std::uint64_t position) const;

  /// Number of bytes that this rank has of a block that begins on another rank.
  std::uint64_t head() const;

  /// Reads a block of this rank.
  void read_block(std::size_t block, std::string &bytes) const;

  unsigned int rank_;
  std::vector<std::uint64_t> begins_; ///< positions at which the ranks' bytes begin, then the end
  ByteSource source_;
  std::string end_; ///< end of the last block, with bytes of the following ranks
};
} // namespace strut
