// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/first_touch.h"

#include <atomic>
#include <limits>
#include <memory>

#include "source/base/atomic_minimum.h"
#include "source/base/filled_vector.h"
#include "source/base/untouched_array.h"

namespace strut
{
namespace
{
constexpr LocalIndex nobody = std::numeric_limits<LocalIndex>::max();

/// Distinguishes the number of a node from an element that has it: neither uses this bit.
constexpr LocalIndex is_number = LocalIndex(1) << 31;
} // namespace

std::vector<LocalIndex> number_by_first_touch(const std::size_t n_keys,
                                              const std::size_t n,
                                              std::vector<LocalIndex> &connectivity,
                                              const int n_threads)
{
  // (1) The first element of each key. The array starts uninitialised: one thread would write it
  // all.
  const auto first = cpu::untouched_array<std::atomic<LocalIndex>>(n_keys);
  cpu::parallel_for(n_threads, n_keys, [&](const std::size_t k) {
    first[k].store(nobody, std::memory_order_relaxed);
  });
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    for (std::size_t v = 0; v < 8; ++v)
      lower(first[connectivity[v * n + e]], static_cast<LocalIndex>(e));
  });

  // (2) Blocks of elements count the nodes that they number. Then they store the numbers in place
  // of the first elements.
  constexpr std::size_t of_block = 4096;
  const std::size_t n_blocks     = (n + of_block - 1) / of_block;
  std::vector<LocalIndex> begin(n_blocks + 1, 0);
  const auto visit_first = [&](const std::size_t block, const auto &visit) {
    for (std::size_t e = block * of_block; e < std::min(n, (block + 1) * of_block); ++e)
      for (std::size_t v = 0; v < 8; ++v)
        {
          const LocalIndex key = connectivity[v * n + e];
          bool is_first        = first[key].load(std::memory_order_relaxed) == e;
          for (std::size_t w = 0; is_first && w < v; ++w) // a broken mesh may have collapsed edges
            is_first = connectivity[w * n + e] != key;
          if (is_first)
            visit(key);
        }
  };
  cpu::parallel_for_long(n_threads, n_blocks, [&](const std::size_t block) {
    LocalIndex count = 0;
    visit_first(block, [&](const LocalIndex) { ++count; });
    begin[block + 1] = count;
  });
  for (std::size_t block = 0; block < n_blocks; ++block)
    begin[block + 1] += begin[block];
  std::vector<LocalIndex> keys = cpu::filled_vector<LocalIndex>(n_threads, begin[n_blocks]);
  cpu::parallel_for_long(n_threads, n_blocks, [&](const std::size_t block) {
    LocalIndex next = begin[block];
    visit_first(block, [&](const LocalIndex key) {
      keys[next] = key;
      first[key].store(next++ | is_number, std::memory_order_relaxed);
    });
  });

  // (3) Replace keys of elements by numbers.
  cpu::parallel_for(n_threads, connectivity.size(), [&](const std::size_t i) {
    connectivity[i] = first[connectivity[i]].load(std::memory_order_relaxed) & ~is_number;
  });
  return keys;
}
} // namespace strut
