// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/filled_vector.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace strut
{
TEST(FilledVector, IsTheVectorOfOneThread)
{
  for (const int n_threads : {1, 2, 5})
    for (const std::size_t n : {0, 1, 511, 512, 513, 4096, 3000000}) // of pages and parts of pages
      {
        EXPECT_EQ(cpu::filled_vector<double>(n_threads, n), std::vector<double>(n));
        EXPECT_EQ(cpu::filled_vector(n_threads, n, 0.3f), std::vector<float>(n, 0.3f));
        EXPECT_EQ(cpu::filled_vector<std::uint8_t>(n_threads, n, 7),
                  std::vector<std::uint8_t>(n, 7));
        const std::array<std::uint16_t, 3> point{{1, 2, 65535}};
        EXPECT_EQ(cpu::filled_vector(n_threads, n, point), std::vector(n, point));
      }

  // it grows like any other vector
  std::vector<double> large = cpu::filled_vector(3, std::size_t(6000001), 0.7);
  EXPECT_EQ(large, std::vector<double>(6000001, 0.7));
  EXPECT_EQ(large.capacity(), large.size());
  large.push_back(1.);
  EXPECT_EQ(large[6000000], 0.7);
  EXPECT_EQ(large.back(), 1.);
}
} // namespace strut
