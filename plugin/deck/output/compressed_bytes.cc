// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/compressed_bytes.h"

#include <deal.II/base/mpi.h>

#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "source/base/first_error.h"
#include "source/base/team.h"

namespace strut::plugin
{
namespace
{
/// Zlib's compressor of one thread. It keeps its tables: to make them anew for each block takes a while, in which the
/// threads wait for each other.
class Deflater
{
public:
  explicit Deflater(const int level)
  {
    if (::deflateInit(&stream_, level) != Z_OK)
      throw std::bad_alloc(); // there is no other reason
  }
  ~Deflater()
  {
    ::deflateEnd(&stream_);
  }
  Deflater(const Deflater &)            = delete;
  Deflater &operator=(const Deflater &) = delete;

  void operator()(const std::string_view bytes, std::string &result)
  {
    ::deflateReset(&stream_);
    result.resize(::deflateBound(&stream_, bytes.size()));
    stream_.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data())); // not written to
    stream_.avail_in  = static_cast<uInt>(bytes.size());
    stream_.next_out  = reinterpret_cast<Bytef *>(result.data());
    stream_.avail_out = static_cast<uInt>(result.size());
    ::deflate(&stream_, Z_FINISH); // the result is large enough
    result.resize(stream_.total_out);
  }

private:
  z_stream stream_{};
};

/// Compresses blocks, or only wraps up those that it would make little smaller, as displacements: it takes the most time for
/// them. A sample of a block shows that.
class BlockCompressor
{
public:
  void operator()(const std::string_view bytes, std::string &result)
  {
    if (bytes.size() >= least_size && sample_stays_large(bytes, result))
      wrap_(bytes, result);
    else
      pack_(bytes, result);
  }

private:
  static constexpr std::size_t least_size = 4096; ///< samples of smaller ones show nothing
  static constexpr double large           = 0.82; ///< of its size, or more

  /// An eighth of the bytes, from the middles of the quarters: fields may begin or end with something simpler.
  /// @param result  is overwritten
  bool sample_stays_large(const std::string_view bytes, std::string &result)
  {
    const std::size_t n = bytes.size() / 32;
    sample_.clear();
    for (std::size_t i = 1; i < 8; i += 2)
      sample_ += bytes.substr(i * bytes.size() / 8 - n / 2, n);
    pack_(sample_, result);
    return static_cast<double>(result.size()) > large * static_cast<double>(sample_.size());
  }

  Deflater pack_{Z_BEST_SPEED}, wrap_{Z_NO_COMPRESSION};
  std::string sample_;
};

/// One block after the other, whichever thread has it. Blocks are begun in their order, so a thread that waits waits for
/// threads that run.
class Turns
{
public:
  /// @param n_threads  which have consecutive turns at any time: so each waits at a place of its own, and one is woken
  explicit Turns(const int n_threads) : places_(static_cast<std::size_t>(std::max(1, n_threads)))
  {}

  template <typename Body>
  void take(const std::size_t k, const Body &body)
  {
    std::unique_lock<std::mutex> lock(mutex_);
    places_[k % places_.size()].wait(lock, [&] { return next_ == k; });
    body();
    ++next_;
    lock.unlock();
    places_[(k + 1) % places_.size()].notify_all();
  }

private:
  std::mutex mutex_;
  std::vector<std::condition_variable> places_;
  std::size_t next_ = 0;
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
         dealii::Utilities::MPI::some_to_some(communicator, heads)) // ascending ranks
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
  std::uint64_t place,
  const std::function<void(std::uint64_t place, std::string_view block)> &take) const
{
  const std::size_t n_blocks = n_own_blocks();
  std::vector<std::uint64_t> sizes(n_blocks);
  cpu::FirstError error;
  std::atomic<bool> failed{false};
  std::atomic<std::size_t> next{0};
  const int n_parts =
    static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(n_threads), n_blocks));
  Turns turns(n_parts);
  cpu::run_parts(n_parts, [&](int) {
    std::string bytes, block;
    std::optional<BlockCompressor> compress;
    for (std::size_t k = next++; k < n_blocks; k = next++)
      {
        std::uint64_t here = 0;
        bool fine          = false;
        if (!failed)
          error.guard([&] {
            read_block(k, bytes);
            if (!compress)
              compress.emplace();
            (*compress)(bytes, block);
            fine = true;
          });
        turns.take(k, [&] {
          sizes[k] = block.size();
          here     = place;
          place += block.size();
        });
        if (fine)
          {
            fine = false;
            error.guard([&] {
              take(here, block);
              fine = true;
            });
          }
        if (!fine)
          failed = true;
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
} // namespace strut::plugin
