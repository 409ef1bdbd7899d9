// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "source/base/begin_rows.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/base/untouched_array.h"

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
  // Counts become the beginnings of the buckets, and then their ends.
  const auto places = untouched_array<std::atomic<std::size_t>>(n_buckets);
  parallel_for(n_threads, n_buckets, [&](const std::size_t b) {
    places[b].store(0, std::memory_order_relaxed);
  });
  parallel_for(n_threads, items.size(), [&](const std::size_t i) {
    places[bucket_of(items[i])].fetch_add(1, std::memory_order_relaxed);
  });
  begin_rows(n_threads, n_buckets, places.get());
  std::vector<Item> sorted = filled_vector<Item>(n_threads, items.size());
  parallel_for(n_threads, items.size(), [&](const std::size_t i) {
    sorted[places[bucket_of(items[i])].fetch_add(1, std::memory_order_relaxed)] = items[i];
  });
  parallel_for(n_threads, n_buckets, [&](const std::size_t b) {
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(b == 0 ? 0 : places[b - 1].load()),
              sorted.begin() + static_cast<std::ptrdiff_t>(places[b].load()));
  });
  items = std::move(sorted);
}
} // namespace strut::cpu
