// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/compressed_arrays.h"

#include <fcntl.h>
#include <unistd.h>

#include <strut/base/exceptions.h>

#include <cassert>
#include <cerrno>
#include <numeric>
#include <utility>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "source/base/parallel_loop.h"

namespace strut
{
/// Temporary bytes on the disk, in a file without a name, which disappears however the process
/// ends. All members throw Error with the system's reason.
class ScratchFile
{
public:
  /// @param file_name  file in whose folder it is, and for messages @param number  number of the
  /// rank
  ScratchFile(std::string file_name, const int number) : file_name_(std::move(file_name))
  {
    const std::string path = file_name_ + ".tmp." + std::to_string(number);
    descriptor_            = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor_ < 0)
      fail_to_write(file_name_, errno);
    ::unlink(path.c_str());
  }
  ~ScratchFile()
  {
    ::close(descriptor_);
  }
  ScratchFile(const ScratchFile &)            = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;

  /// Writes or reads bytes. Thread-safe.
  void write_at(std::uint64_t position, std::string_view contents)
  {
    while (!contents.empty())
      {
        const auto n =
          ::pwrite(descriptor_, contents.data(), contents.size(), static_cast<off_t>(position));
        if (n < 0 && errno != EINTR)
          fail_to_write(file_name_, errno);
        if (n > 0)
          {
            contents.remove_prefix(static_cast<std::size_t>(n));
            position += static_cast<std::uint64_t>(n);
          }
      }
  }
  void read_at(std::uint64_t position, char *bytes, std::size_t n) const
  {
    while (n > 0)
      {
        const auto n_read = ::pread(descriptor_, bytes, n, static_cast<off_t>(position));
        if (n_read == 0 || (n_read < 0 && errno != EINTR))
          fail_to_write(file_name_, n_read == 0 ? EIO : errno);
        if (n_read > 0)
          {
            bytes += n_read;
            n -= static_cast<std::size_t>(n_read);
            position += static_cast<std::uint64_t>(n_read);
          }
      }
  }

private:
  std::string file_name_;
  int descriptor_ = -1;
};

CompressedArrays::CompressedArrays(const Communicator &communicator,
                                   std::vector<ByteSource> sources,
                                   const std::string &scratch_beside)
  : arrays_(CompressedBytes::of(communicator.mpi(), std::move(sources)))
{
  if (!scratch_beside.empty())
    attempt_together(communicator, [&] {
      scratch_ = std::make_unique<ScratchFile>(scratch_beside, communicator.rank());
    });
}

CompressedArrays::~CompressedArrays() = default;

void CompressedArrays::compress(const int n_threads)
{
  assert(has_scratch_file());
  std::uint64_t place = 0;
  for (std::size_t i = 0; i < size(); ++i)
    {
      block_sizes_.push_back(arrays_[i].write(
        n_threads, place, [this](const std::uint64_t begin, const std::string_view block) {
          if (stopped_)
            throw Error("The compression of arrays was stopped.");
          scratch_->write_at(begin, block);
        }));
      arrays_[i].forget_bytes();
      place += n_own_bytes(i);
    }
}

void CompressedArrays::compress_to(SharedFile &file, std::uint64_t place, const int n_threads)
{
  for (std::size_t i = 0; i < size(); ++i)
    {
      place += room_before_blocks(i);
      block_sizes_.push_back(arrays_[i].write(
        n_threads, place, [&file](const std::uint64_t begin, const std::string_view block) {
          file.write_at(begin, block);
        }));
      arrays_[i].forget_bytes();
      place += n_own_bytes(i);
    }
}

std::uint64_t CompressedArrays::n_own_bytes(const std::size_t i) const
{
  return std::accumulate(block_sizes_[i].begin(), block_sizes_[i].end(), std::uint64_t(0));
}

void CompressedArrays::copy_blocks(const std::size_t i,
                                   SharedFile &file,
                                   const std::uint64_t place,
                                   const int n_threads) const
{
  assert(has_scratch_file());
  constexpr std::size_t piece_size = std::size_t(1) << 20;
  std::uint64_t from               = 0;
  for (std::size_t before = 0; before < i; ++before)
    from += n_own_bytes(before);
  cpu::parallel_blocks(n_threads,
                       n_own_bytes(i),
                       piece_size,
                       [&](const std::size_t begin, const std::size_t end) {
                         std::string bytes(end - begin, '\0');
                         scratch_->read_at(from + begin, bytes.data(), bytes.size());
                         file.write_at(place + begin, bytes);
                       });
}
} // namespace strut
