// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plugin/base/scratch_file.h"
#include "plugin/base/shared_file.h"
#include "plugin/deck/output/compressed_bytes.h"

namespace strut::plugin
{
/// Arrays of a VTU file. VTK reads of each the number of its blocks, their size, that of the last one if it is shorter, and their
/// sizes after compression; then come the blocks. Each rank compresses its own.
///
/// The place of a block is known when all before it are compressed. One rank alone writes its blocks one behind the other. Several
/// ranks keep theirs in scratch files until all know of all. So does one rank with arrays that several files share.
class CompressedArrays
{
public:
  /// Collective.
  /// @param scratch_beside  the file beside which blocks wait in a scratch file; empty: there is none. If that file cannot be made,
  /// every rank throws the same Error
  CompressedArrays(const Communicator &communicator,
                   std::vector<ByteSource> sources,
                   const std::string &scratch_beside);

  /// Whether blocks wait in a scratch file.
  bool has_scratch_file() const
  {
    return scratch_ != nullptr;
  }

  /// With a scratch file: compress this rank's blocks, and keep them there. Does not communicate.
  /// @throws Error if they cannot be written, or stop() was called
  void compress(int n_threads);

  /// End compress() soon, from another thread.
  void stop()
  {
    stopped_ = true;
  }

  /// Without a scratch file, on one rank: write the blocks to the file, the first array from `place` on.
  void compress_to(SharedFile &file, std::uint64_t place, int n_threads);

  std::size_t size() const
  {
    return arrays_.size();
  }
  const CompressedBytes &operator[](const std::size_t i) const
  {
    return arrays_[i];
  }

  /// After compression: the sizes of this rank's blocks of array i, and of all of them together.
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

  /// Copy this rank's blocks of array i from the scratch file.
  void copy_blocks(std::size_t i, SharedFile &file, std::uint64_t place, int n_threads) const;

private:
  std::vector<CompressedBytes> arrays_;
  std::unique_ptr<ScratchFile> scratch_;
  std::vector<std::vector<std::uint64_t>> block_sizes_;
  std::atomic<bool> stopped_{false};
};
} // namespace strut::plugin
