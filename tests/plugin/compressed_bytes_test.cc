// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/compressed_bytes.h"

#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <boost/serialization/string.hpp>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strut
{
namespace
{
/// Bytes of moderate compressibility.
std::string some_bytes(const std::size_t n)
{
  std::string bytes(n, ' ');
  std::uint32_t random = 17;
  for (char &byte : bytes)
    {
      random = 1664525 * random + 1013904223;
      byte   = static_cast<char>('a' + (random >> 29));
    }
  return bytes;
}

/// A source that returns parts of some bytes, and refuses to read beyond them.
ByteSource source_of(const std::string &bytes)
{
  return {bytes.size(), [bytes](const std::size_t first, const std::size_t n, char *const place) {
            ASSERT_LE(first + n, bytes.size());
            bytes.copy(place, n, first);
          }};
}

/// The blocks of this rank in one text.
std::string own_blocks(const CompressedBytes &bytes, const int n_threads)
{
  const std::uint64_t begin = 1000;
  std::map<std::uint64_t, std::string> blocks;
  std::mutex mutex;
  const auto sizes =
    bytes.write(n_threads, begin, [&](const std::uint64_t place, const std::string_view block) {
      const std::lock_guard<std::mutex> lock(mutex);
      blocks[place] = block;
    });
  EXPECT_EQ(sizes.size(), bytes.n_own_blocks());
  EXPECT_EQ(blocks.size(), bytes.n_own_blocks());
  std::string all;
  std::size_t k = 0;
  for (const auto &[place, block] : blocks)
    {
      EXPECT_EQ(place, begin + all.size());
      EXPECT_EQ(block.size(), sizes[k++]);
      all += block;
    }
  return all;
}

/// The texts of all ranks in one text, on rank 0.
std::string gathered(const std::string &text)
{
  std::string all;
  for (const std::string &of_rank : dealii::Utilities::MPI::gather(MPI_COMM_WORLD, text))
    all += of_rank;
  return all;
}

/// Blocks do not depend on the distribution of the bytes.
TEST(OutputCompressedBytes, BlocksDependOnTheBytesAlone)
{
  int rank = 0, n_ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  const std::size_t block = CompressedBytes::block_size;
  // where the first rank's part ends, and where the last one's begins
  const std::size_t cuts[][2] = {{0, 0},
                                 {1, 2},
                                 {block - 1, block + 1},
                                 {block, block},
                                 {block, 2 * block},
                                 {block / 3, block / 2},
                                 {2 * block + 5, 3 * block + 7},
                                 {3 * block + 9, 3 * block + 9}};
  for (const std::size_t n : {std::size_t(0), std::size_t(3), block, 3 * block, 3 * block + 9})
    {
      const std::string whole = some_bytes(n);
      // another source beside it, with a part on each rank: each gets its own ends
      const auto alone =
        CompressedBytes::of(MPI_COMM_SELF, {source_of(whole), source_of(whole.substr(0, n / 2))});
      EXPECT_EQ(alone[0].n_bytes(), n);
      EXPECT_EQ(alone[0].n_blocks(), (n + block - 1) / block);
      EXPECT_EQ(alone[0].n_own_blocks(), alone[0].n_blocks());
      const std::string of_whole = own_blocks(alone[0], 1), of_half = own_blocks(alone[1], 2);
      for (const auto &cut : cuts)
        {
          const std::size_t first = n_ranks == 1 ? n : std::min(cut[0], n);
          const std::size_t last  = n_ranks == 2 ? first : std::max(first, std::min(cut[1], n));
          const std::size_t begin = rank == 0 ? 0 : rank == 1 && n_ranks > 2 ? first : last;
          const std::size_t end   = rank + 1 == n_ranks ? n : rank == 0 ? first : last;
          const auto part         = [&](const std::size_t size) {
            const std::size_t b = std::min(begin, size), e = std::min(end, size);
            return source_of(whole.substr(b, e - b));
          };
          const auto together = CompressedBytes::of(MPI_COMM_WORLD, {part(n), part(n / 2)});
          EXPECT_EQ(together[0].n_bytes(), n);
          const std::string blocks = gathered(own_blocks(together[0], 2)),
                            halves = gathered(own_blocks(together[1], 1));
          if (rank == 0)
            {
              EXPECT_EQ(blocks, of_whole) << n << " bytes cut at " << first << ", " << last;
              EXPECT_EQ(halves, of_half) << n / 2 << " bytes cut at " << first << ", " << last;
            }
        }
    }
}

/// The blocks of a source, by their places, and the text that zlib uncompresses from all of them.
std::pair<std::vector<std::string>, std::string> packed_and_unpacked(const ByteSource &source)
{
  const std::size_t block = CompressedBytes::block_size;
  std::map<std::uint64_t, std::string> blocks;
  std::mutex mutex;
  CompressedBytes::of(MPI_COMM_SELF, {source})[0].write(
    3, 0, [&](const std::uint64_t place, const std::string_view packed) {
      const std::lock_guard<std::mutex> lock(mutex);
      blocks[place] = packed;
    });
  std::pair<std::vector<std::string>, std::string> result;
  for (const auto &[place, packed] : blocks)
    {
      std::string unpacked(block, ' ');
      uLongf size = block;
      EXPECT_EQ(::uncompress(reinterpret_cast<Bytef *>(unpacked.data()),
                             &size,
                             reinterpret_cast<const Bytef *>(packed.data()),
                             packed.size()),
                Z_OK);
      result.first.push_back(packed);
      result.second += unpacked.substr(0, size);
    }
  return result;
}

// zlib restores any bytes. Blocks of noise are stored uncompressed, and are hardly larger than
// before.
TEST(OutputCompressedBytes, AreWhatZlibUncompresses)
{
  const std::size_t block = CompressedBytes::block_size;
  std::string noise(block + 4097, ' ');
  std::uint32_t random = 3;
  for (char &byte : noise)
    {
      random = 1664525 * random + 1013904223;
      byte   = static_cast<char>(random >> 24);
    }
  const std::string whole = noise.substr(0, block) + std::string(block, '\0') + some_bytes(block) +
                            noise.substr(0, block / 8) + std::string(block - block / 8, 'x') +
                            std::string(block / 8, 'x') + noise.substr(0, block - block / 8) +
                            noise;
  for (const std::size_t n :
       {whole.size(), whole.size() - 1, std::size_t(4096), std::size_t(7), std::size_t(1)})
    {
      const auto [packed, unpacked] = packed_and_unpacked(source_of(whole.substr(0, n)));
      EXPECT_TRUE(unpacked == whole.substr(0, n)) << n;
      if (n < whole.size())
        continue;
      EXPECT_GE(packed[0].size(), block);
      EXPECT_LE(packed[0].size(), block + 100);
      EXPECT_LE(packed[1].size(), block / 100);
      EXPECT_LE(packed[2].size(), block / 2);
      EXPECT_LE(packed[3].size(), block / 6); // noise at the beginning alone
    }
}

// Blocks of one number, which are compressed once, between others; the last one is shorter.
TEST(OutputCompressedBytes, BlocksOfOneNumberAreTheirOwn)
{
  const std::size_t block = CompressedBytes::block_size;
  std::string whole;
  for (const std::string &number : {std::string(4, '\0'),
                                    std::string("abcd"),
                                    std::string("abcdefgh"),
                                    std::string(4, '\0'),
                                    std::string("ab"),
                                    std::string("abcdefghijkl"),
                                    std::string("abcdefgh")})
    for (int i = 0; i < 3; ++i)
      {
        std::string bytes;
        while (bytes.size() < block)
          bytes += number;
        whole += bytes.substr(0, block);
      }
  whole.resize(whole.size() - block / 2 + 3);
  const auto [packed, unpacked] = packed_and_unpacked(source_of(whole));
  EXPECT_TRUE(unpacked == whole);
  for (const std::string &of_block : packed)
    EXPECT_LE(of_block.size(), block / 100);
}

TEST(OutputCompressedBytes, EqualStepsBecomeTwoThirds)
{
  std::vector<std::int32_t> steps(3 * CompressedBytes::block_size / sizeof(std::int32_t));
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = static_cast<std::int32_t>(8 * (i + 1));
  const std::string bytes(reinterpret_cast<const char *>(steps.data()),
                          steps.size() * sizeof(steps[0]));
  const auto [packed, unpacked] = packed_and_unpacked(source_of(bytes));
  EXPECT_TRUE(unpacked == bytes);
  for (const std::string &block : packed)
    EXPECT_LE(block.size(), 7 * CompressedBytes::block_size / 10);
}

// The first error of a thread ends the writing, and is told.
TEST(OutputCompressedBytes, ThatCannotBeWrittenAreAnError)
{
  const auto bytes =
    CompressedBytes::of(MPI_COMM_SELF, {source_of(some_bytes(20 * CompressedBytes::block_size))});
  for (const int n_threads : {1, 3})
    {
      std::atomic<int> n_taken{0};
      EXPECT_THROW(bytes.front().write(n_threads,
                                       0,
                                       [&](std::uint64_t, std::string_view) {
                                         ++n_taken;
                                         throw Error("the disk is full");
                                       }),
                   Error);
      EXPECT_LE(n_taken, n_threads);
    }
}
} // namespace
} // namespace strut
