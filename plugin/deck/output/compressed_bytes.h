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

namespace strut::plugin
{
/// Bytes that a rank has, made when they are asked for.
struct ByteSource
{
  std::size_t n_bytes = 0;
  /// Write the bytes [first, first + n) to a place. From several threads at a time.
  std::function<void(std::size_t first, std::size_t n, char *place)> fill;
  /// Of numbers one step from the last each, what repeats are two or three bytes. zlib's own compressor finds these: it makes
  /// two and a half times less of them than libdeflate, which is three times as fast for all else.
  bool has_equal_steps = false;
};

/// The bytes of all ranks, those of one after those of the other, cut into blocks of one size and
/// compressed in zlib's format: every rank compresses the blocks that begin in its part, with all its threads.
/// Blocks that would become little smaller are in that format as they are. The blocks depend on the
/// bytes alone, neither on ranks nor on threads. Each thread has one block in memory at a time; four compressed ones for each may wait.
class CompressedBytes
{
public:
  static constexpr std::uint64_t block_size = std::uint64_t(1) << 17;

  /// One of each source; each rank gets the ends of its last blocks from the ranks behind. Collective.
  static std::vector<CompressedBytes> of(MPI_Comm communicator, std::vector<ByteSource> sources);

  /// Bytes of all ranks before compression.
  std::uint64_t n_bytes() const
  {
    return begins_.back();
  }
  /// Blocks of all ranks.
  std::uint64_t n_blocks() const
  {
    return blocks_before(begins_.back());
  }
  /// The first block that begins in this rank's part, and how many do.
  std::uint64_t first_block() const
  {
    return blocks_before(begins_[rank_]);
  }
  std::size_t n_own_blocks() const
  {
    return blocks_before(begins_[rank_ + 1]) - first_block();
  }

  /// Compress this rank's blocks, and hand them over with the places where they begin, one behind the
  /// other from `place` on: in any order and from several threads at a time.
  /// @return their sizes
  std::vector<std::uint64_t>
  write(int n_threads,
        std::uint64_t place,
        const std::function<void(std::uint64_t place, std::string_view block)> &take) const;

  /// The source is needed no more: the numbers of blocks stay.
  void forget_bytes();

private:
  CompressedBytes(unsigned int rank, std::vector<std::uint64_t> begins, ByteSource source);

  /// How many blocks begin before a byte.
  static std::uint64_t blocks_before(const std::uint64_t position)
  {
    return (position + block_size - 1) / block_size;
  }

  /// The rank that has a byte.
  unsigned int owner(std::uint64_t position) const;

  /// Bytes that this rank has of a block that begins on another rank.
  std::uint64_t head() const;

  /// Fill in a block of this rank.
  void read_block(std::size_t block, std::string &bytes) const;

  unsigned int rank_;
  std::vector<std::uint64_t> begins_; ///< of each rank's bytes among all, and their end
  ByteSource source_;
  std::string end_; ///< of the last block: bytes of the ranks behind
};
} // namespace strut::plugin
