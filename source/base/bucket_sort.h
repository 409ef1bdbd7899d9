// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "source/base/parallel_loop.h"

namespace strut::cpu
{
/// Sorts items in ascending order, where the first key of their comparison is a small integer. It
/// distributes the items to buckets by that key, then sorts each bucket. The result is that of
/// std::sort() for distinct items.
///
/// @param bucket_of  returns the key of an item: a number below `n_buckets`, not descending where
///   items ascend
template <typename Item, typename BucketOf>
void bucket_sort(const int n_threads,
                 const std::size_t n_buckets,
                 const BucketOf &bucket_of,
                 std::vector<Item> &items)
{
  std::vector<std::size_t> begin(n_buckets + 1, 0);
  for (const Item &item : items)
    ++begin[bucket_of(item) + 1];
  for (std::size_t b = 0; b < n_buckets; ++b)
    begin[b + 1] += begin[b];
  std::vector<Item> sorted(items.size());
  {
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (const Item &item : items)
      sorted[next[bucket_of(item)]++] = item;
  }
  parallel_for(n_threads, n_buckets, [&](const std::size_t b) {
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin[b]),
              sorted.begin() + static_cast<std::ptrdiff_t>(begin[b + 1]));
  });
  items = std::move(sorted);
}
} // namespace strut::cpu
