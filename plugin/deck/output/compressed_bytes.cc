// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/compressed_bytes.h"

#include <deal.II/base/mpi.h>

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "plugin/base/deflate.h"
#include "source/base/first_error.h"
#include "source/base/team.h"

namespace strut
{
namespace
{
/// Compresses blocks. Blocks that would hardly shrink, such as displacements, are stored without
/// compression, because they take the most time; a sample of a block decides. Most blocks of flags
/// and forces repeat one number: these are compressed once.
class BlockCompressor
{
public:
  /// @return valid until the next call
  std::string_view operator()(const std::string_view bytes)
  {
    if (bytes.size() < least_size)
      return pack_(bytes);
    if (std::memcmp(bytes.data(), bytes.data() + number_size, bytes.size() - number_size) != 0)
      return sample_stays_large(bytes) ? wrap_(bytes) : pack_(bytes);
    const std::string_view number = bytes.substr(0, number_size);
    if (number != number_ || bytes.size() != n_bytes_of_number_)
      {
        packed_number_     = pack_(bytes);
        number_            = number;
        n_bytes_of_number_ = bytes.size();
      }
    return packed_number_;
  }

private:
  /// Samples of smaller blocks are not representative.
  static constexpr std::size_t least_size = 4096;
  /// Least relative size of a compressed sample that does not pay.
  static constexpr double large            = 0.82;
  static constexpr std::size_t number_size = 8; ///< bytes of a number, or a multiple

  /// Whether a sample stays large. The sample is an eighth of the bytes, from the middles of the
  /// quarters: the ends of fields may be simpler.
  bool sample_stays_large(const std::string_view bytes)
  {
    const std::size_t n = bytes.size() / 32;
    sample_.clear();
    for (std::size_t i = 1; i < 8; i += 2)
      sample_ += bytes.substr(i * bytes.size() / 8 - n / 2, n);
    return static_cast<double>(pack_(sample_).size()) > large * static_cast<double>(sample_.size());
  }

  Deflater pack_{1}, wrap_{0};
  std::string sample_;

  /// The last block with a single repeated number.
  std::string number_, packed_number_;
  std::size_t n_bytes_of_number_ = 0;
};

/// Assigns positions to blocks in their order, and writes them. Threads begin blocks in order. They
/// continue with later blocks while an earlier one is unfinished, because the system may suspend
/// its thread. At most four blocks per thread wait here.
class BlocksInOrder
{
public:
  BlocksInOrder(const int n_threads, const std::uint64_t place, std::vector<std::uint64_t> &sizes)
    : waiting_(4 * static_cast<std::size_t>(std::max(1, n_threads))), place_(place), sizes_(sizes)
  {}

  /// Adds block k, and writes all blocks that are next in order, unless another thread does.
  /// @param block  on return, another block whose memory may be reused
  /// @param take  must not throw
  template <typename Take>
  void add(const std::size_t k, std::string &block, const Take &take)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    // The thread waits for a running one: the next block was begun earlier.
    room_.wait(lock, [&] { return k < next_ + waiting_.size(); });
    at(k).bytes.swap(block);
    at(k).is_there = true;
    if (is_writing_)
      return;
    for (is_writing_ = true; at(next_).is_there; room_.notify_all())
      {
        Block &first = at(next_);
        lock.unlock();
        take(place_, first.bytes);
        lock.lock();
        first.is_there  = false;
        sizes_[next_++] = first.bytes.size();
        place_ += first.bytes.size();
      }
    is_writing_ = false;
  }

private:
  struct Block
  {
    std::string bytes;
    bool is_there = false;
  };
  Block &at(const std::size_t k)
  {
    return waiting_[k % waiting_.size()];
  }

  std::mutex mutex_;
  std::condition_variable room_;
  std::vector<Block> waiting_;
  bool is_writing_  = false;
  std::size_t next_ = 0;
  std::uint64_t place_;
  std::vector<std::uint64_t> &sizes_;
};
} // namespace

CompressedBytes::CompressedBytes(const unsigned int rank,
                                 std::vector<std::uint64_t> begins,
                                 ByteSource source)
  : rank_(rank), begins_(std::move(begins)), source_(std::move(source))
{}

std::vector<CompressedBytes> CompressedBytes::of(MPI_Comm communicator,
                                                 std::vector<ByteSource> sources)
{
  const unsigned int rank = dealii::Utilities::MPI::this_mpi_process(communicator);
  std::vector<std::uint64_t> n_own;
  for (const ByteSource &source : sources)
    n_own.push_back(source.n_bytes);
  const auto n_of_ranks = dealii::Utilities::MPI::all_gather(communicator, n_own);

  std::vector<CompressedBytes> all;
  std::map<unsigned int, std::vector<std::string>> heads; // by rank and source
  for (std::size_t i = 0; i < sources.size(); ++i)
    {
      std::vector<std::uint64_t> begins = {0};
      for (const auto &n : n_of_ranks)
        begins.push_back(begins.back() + n[i]);
      all.push_back(CompressedBytes(rank, std::move(begins), std::move(sources[i])));
      const CompressedBytes &bytes = all.back();
      const std::uint64_t n_head   = bytes.head();
      if (n_head == 0)
        continue;
      auto &to_owner = heads[bytes.owner(bytes.begins_[rank] / block_size * block_size)];
      to_owner.resize(n_own.size());
      to_owner[i].resize(n_head);
      bytes.source_.fill(0, n_head, to_owner[i].data());
    }
  if (n_of_ranks.size() > 1)
    for (const auto &[from, ends] :
         dealii::Utilities::MPI::some_to_some(communicator, heads)) // in ascending order of ranks
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i].end_ += ends[i];
  return all;
}

unsigned int CompressedBytes::owner(const std::uint64_t position) const
{
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), position);
  return static_cast<unsigned int>(next - begins_.begin()) - 1;
}

std::uint64_t CompressedBytes::head() const
{
  return std::min(first_block() * block_size, begins_[rank_ + 1]) - begins_[rank_];
}

void CompressedBytes::read_block(const std::size_t block, std::string &bytes) const
{
  const std::size_t first = head() + block * block_size;
  const std::size_t n     = std::min<std::size_t>(block_size, source_.n_bytes - first);
  bytes.resize(n);
  source_.fill(first, n, bytes.data());
  if (block + 1 == n_own_blocks())
    bytes += end_;
}

std::vector<std::uint64_t> CompressedBytes::write(
  const int n_threads,
  const std::uint64_t place,
  const std::function<void(std::uint64_t place, std::string_view block)> &take) const
{
  const std::size_t n_blocks = n_own_blocks();
  std::vector<std::uint64_t> sizes(n_blocks);
  cpu::FirstError error;
  std::atomic<bool> failed{false};
  std::atomic<std::size_t> next{0};
  const int n_parts =
    static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(n_threads), n_blocks));
  BlocksInOrder in_order(n_parts, place, sizes);
  cpu::run_parts(n_parts, [&](int) {
    std::string bytes, block;
    std::optional<BlockCompressor> compress;
    // After an error, blocks are empty and not written.
    const auto attempt = [&](const auto &action) {
      bool fine = false;
      if (!failed)
        error.guard([&] {
          action();
          fine = true;
        });
      if (!fine)
        failed = true;
    };
    for (std::size_t k = next++; k < n_blocks; k = next++)
      {
        block.clear();
        attempt([&] {
          read_block(k, bytes);
          if (!compress)
            compress.emplace();
          block = (*compress)(bytes);
        });
        in_order.add(k, block, [&](const std::uint64_t begin, const std::string &packed) {
          attempt([&] { take(begin, packed); });
        });
      }
  });
  error.rethrow();
  return sizes;
}

void CompressedBytes::forget_bytes()
{
  source_.fill = nullptr;
  end_.clear();
}
} // namespace strut
