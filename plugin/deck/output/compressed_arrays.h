// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/base/atomic_file.h"
#include "plugin/deck/output/compressed_bytes.h"

namespace strut
{
class ScratchFile;

/// Compressed arrays of a VTU file. For each array, VTK reads the number of blocks, their size, and
/// the size of the last one if it is shorter. The sizes after compression and the blocks follow.
/// Each rank compresses its own blocks.
///
/// The position of a block is known when all blocks before it are compressed. A single rank writes
/// its blocks one after the other. Several ranks keep theirs in scratch files until all sizes are
/// known. A single rank does the same with arrays that several files share.
class CompressedArrays
{
public:
  /// Collective.
  /// @param scratch_beside  the scratch file for waiting blocks is made beside this file; empty:
  ///   there is none. If it cannot be made, every rank throws the same Error
  CompressedArrays(const Communicator &communicator,
                   std::vector<ByteSource> sources,
                   const std::string &scratch_beside);
  ~CompressedArrays();

  /// Whether blocks wait in a scratch file.
  bool has_scratch_file() const
  {
    return scratch_ != nullptr;
  }

  /// Compresses this rank's blocks into the scratch file, which must exist. Does not communicate.
  /// @throws Error if they cannot be written, or stop() was called
  void compress(int n_threads);

  /// Makes compress() end soon; called from another thread.
  void stop()
  {
    stopped_ = true;
  }

  /// Writes the blocks to the file, the first array at `place`. For one rank without a scratch
  /// file.
  void compress_to(SharedFile &file, std::uint64_t place, int n_threads);

  std::size_t size() const
  {
    return arrays_.size();
  }
  const CompressedBytes &operator[](const std::size_t i) const
  {
    return arrays_[i];
  }

  /// The sizes of this rank's blocks of array i after compression.
  const std::vector<std::uint64_t> &block_sizes(const std::size_t i) const
  {
    return block_sizes_[i];
  }
  std::uint64_t n_own_bytes(std::size_t i) const;

  /// Bytes of array i before its blocks.
  std::uint64_t room_before_blocks(const std::size_t i) const
  {
    return (3 + arrays_[i].n_blocks()) * sizeof(std::uint64_t);
  }

  /// Copies this rank's blocks of array i from the scratch file.
  void copy_blocks(std::size_t i, SharedFile &file, std::uint64_t place, int n_threads) const;

private:
  std::vector<CompressedBytes> arrays_;
  std::unique_ptr<ScratchFile> scratch_;
  std::vector<std::vector<std::uint64_t>> block_sizes_;
  std::atomic<bool> stopped_{false};
};
} // namespace strut
