// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "source/base/parallel_loop.h"

namespace strut::cpu
{
/// Turns counts of rows into offsets, by blocks of rows in parallel: rows[i] becomes the sum of the
/// counts before row i.
///
/// @return the sum of all counts
template <typename Count>
std::uint64_t begin_rows(const int n_threads, const std::size_t n, std::atomic<Count> *const rows)
{
  constexpr std::size_t block_size = 1 << 16;
  std::vector<std::uint64_t> before((n + block_size - 1) / block_size + 1, 0);
  parallel_blocks(n_threads, n, block_size, [&](const std::size_t begin, const std::size_t end) {
    std::uint64_t sum = 0;
    for (std::size_t row = begin; row < end; ++row)
      sum += rows[row].load(std::memory_order_relaxed);
    before[begin / block_size + 1] = sum;
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  parallel_blocks(n_threads, n, block_size, [&](const std::size_t begin, const std::size_t end) {
    std::uint64_t sum = before[begin / block_size];
    for (std::size_t row = begin; row < end; ++row)
      {
        const Count length = rows[row].load(std::memory_order_relaxed);
        rows[row].store(static_cast<Count>(sum), std::memory_order_relaxed);
        sum += length;
      }
  });
  return before.back();
}
} // namespace strut::cpu
