// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/equal_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace strut::test
{
// Compares with a search from the start: with different hashes, and with only two hashes, at the
// end of the table.
TEST(EqualRows, AreThoseThatComeFirst)
{
  std::mt19937 random(3);
  for (const std::size_t n : {0, 1, 2, 5000})
    for (const std::uint32_t n_different : {1, 7, 100000})
      for (const bool many_hashes : {true, false})
        {
          std::vector<std::uint32_t> rows(n);
          for (std::uint32_t &row : rows)
            row = random() % n_different;
          const auto first = cpu::first_equal_rows(
            3,
            n,
            [&](const std::size_t i) {
              const std::uint64_t row = rows[i];
              return many_hashes ? row * 0x9e3779b97f4a7c15u : ~(row % 2 << 63);
            },
            [&](const std::size_t a, const std::size_t b) { return rows[a] == rows[b]; });
          ASSERT_EQ(first.size(), n);
          for (std::size_t i = 0; i < n; ++i)
            ASSERT_EQ(first[i], std::find(rows.begin(), rows.end(), rows[i]) - rows.begin());
        }
}
} // namespace strut::test
