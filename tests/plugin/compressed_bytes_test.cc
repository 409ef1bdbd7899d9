// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/compressed_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "plugin/base/collective.h"

namespace strut::plugin
{
namespace
{
/// Bytes that compress somewhat.
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

/// The blocks of all ranks in their order, on rank 0.
std::vector<std::string> gathered(const CompressedBytes &bytes)
{
  int rank = 0, n_ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  std::vector<std::string> all = bytes.blocks();
  if (rank > 0)
    {
      const std::size_t n = all.size();
      send_bytes(MPI_COMM_WORLD, 0, &n, sizeof(n));
      for (const std::string &block : all)
        {
          const std::size_t size = block.size();
          send_bytes(MPI_COMM_WORLD, 0, &size, sizeof(size));
          send_bytes(MPI_COMM_WORLD, 0, block.data(), size);
        }
      return {};
    }
  for (int other = 1; other < n_ranks; ++other)
    {
      std::size_t n = 0;
      receive_bytes(MPI_COMM_WORLD, other, &n, sizeof(n));
      for (std::size_t i = 0; i < n; ++i)
        {
          std::size_t size = 0;
          receive_bytes(MPI_COMM_WORLD, other, &size, sizeof(size));
          all.emplace_back(size, ' ');
          receive_bytes(MPI_COMM_WORLD, other, all.back().data(), size);
        }
    }
  return all;
}

/// However the bytes are dealt out: the same blocks.
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
      const CompressedBytes alone(MPI_COMM_SELF, whole);
      EXPECT_EQ(alone.n_bytes(), n);
      EXPECT_EQ(alone.blocks().size(), (n + block - 1) / block);
      for (const auto &cut : cuts)
        {
          const std::size_t first = n_ranks == 1 ? n : std::min(cut[0], n);
          const std::size_t last  = n_ranks == 2 ? first : std::max(first, std::min(cut[1], n));
          const std::string mine  = rank == 0             ? whole.substr(0, first)
                                    : rank + 1 == n_ranks ? whole.substr(last)
                                    : rank == 1           ? whole.substr(first, last - first)
                                                          : std::string();
          const CompressedBytes together(MPI_COMM_WORLD, mine);
          EXPECT_EQ(together.n_bytes(), n);
          const auto blocks = gathered(together);
          if (rank == 0)
            {
              EXPECT_EQ(blocks, alone.blocks()) << n << " bytes cut at " << first << ", " << last;
            }
        }
    }
}
} // namespace
} // namespace strut::plugin
