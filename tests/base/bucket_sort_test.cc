// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/bucket_sort.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

TEST(BucketSort, IsSort)
{
  std::mt19937 random(5);
  for (const std::size_t n : {0, 1, 2, 1000, 50000})
    for (const unsigned int n_buckets : {1u, 7u, 20000u})
      for (const int n_threads : {1, 3})
        {
          std::vector<std::array<unsigned int, 2>> items(n);
          for (auto &[bucket, value] : items)
            {
              bucket = static_cast<unsigned int>(random() % n_buckets);
              value  = static_cast<unsigned int>(random());
            }
          auto expected = items;
          std::sort(expected.begin(), expected.end());
          strut::cpu::bucket_sort(
            n_threads, n_buckets, [](const auto &item) { return item[0]; }, items);
          EXPECT_EQ(items, expected);
        }
}
