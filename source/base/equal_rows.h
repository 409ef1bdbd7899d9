// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "source/base/atomic_minimum.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/base/untouched_array.h"

namespace strut::cpu
{
/// Finds for each of n rows the first row that equals it, with all threads.
///
/// @param n          less than 2^31
/// @param hash       returns 64 bits for a row; the upper ones are used
/// @param are_equal  whether two rows are equal: an equivalence relation; equal rows must have
///   equal hashes
template <typename Hash, typename AreEqual>
std::vector<std::uint32_t> first_equal_rows(const int n_threads,
                                            const std::size_t n,
                                            const Hash &hash,
                                            const AreEqual &are_equal)
{
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  unsigned int bits            = 1;
  while (std::size_t(1) << bits < 2 * n)
    ++bits;
  const std::size_t n_slots = std::size_t(1) << bits;
  const auto slots          = untouched_array<std::atomic<std::uint32_t>>(n_slots);
  parallel_for(n_threads, n_slots, [&](const std::size_t slot) {
    slots[slot].store(none, std::memory_order_relaxed);
  });

  // All rows of a slot are equal: the first row to arrive decides. Later ones can only lower the
  // number.
  std::vector<std::uint32_t> row_or_slot = filled_vector<std::uint32_t>(n_threads, n);
  parallel_for(n_threads, n, [&](const std::size_t i) {
    const auto row   = static_cast<std::uint32_t>(i);
    std::size_t slot = hash(i) >> (64 - bits);
    for (;; slot = (slot + 1) % n_slots)
      {
        std::uint32_t there = none;
        if (slots[slot].load(std::memory_order_relaxed) == none &&
            slots[slot].compare_exchange_strong(there, row, std::memory_order_relaxed))
          break;
        there = slots[slot].load(std::memory_order_relaxed);
        if (are_equal(there, row))
          {
            lower(slots[slot], row);
            break;
          }
      }
    row_or_slot[i] = static_cast<std::uint32_t>(slot);
  });
  parallel_for(n_threads, n, [&](const std::size_t i) {
    row_or_slot[i] = slots[row_or_slot[i]].load(std::memory_order_relaxed);
  });
  return row_or_slot;
}
} // namespace strut::cpu
