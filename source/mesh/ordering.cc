// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/ordering.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "source/base/atomic_minimum.h"
#include "source/base/bucket_sort.h"
#include "source/base/filled_vector.h"
#include "source/base/untouched_array.h"

namespace strut
{
namespace
{
constexpr int bits = 20; // bits per direction: 60 bits of key

struct PointOnCurve
{
  std::uint64_t key;
  std::uint32_t point;

  bool operator<(const PointOnCurve &other) const
  {
    return key != other.key ? key < other.key : point < other.point;
  }
};

/// Position of an integer point along the curve (Skilling 2004, "Programming the Hilbert curve",
/// axes to transpose, then interleaved).
std::uint64_t hilbert_key(std::array<std::uint32_t, 3> x)
{
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    {
      const std::uint32_t p = q - 1;
      for (int i = 0; i < 3; ++i)
        if (x[i] & q)
          x[0] ^= p;
        else
          {
            const std::uint32_t t = (x[0] ^ x[i]) & p;
            x[0] ^= t;
            x[i] ^= t;
          }
    }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    if (x[2] & q)
      t ^= q - 1;

  std::uint64_t key = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (int i = 0; i < 3; ++i)
      key = (key << 1) | (((x[i] ^ t) >> b) & 1);
  return key;
}
} // namespace

std::vector<std::uint32_t> hilbert_order(const std::vector<double> &points, const std::size_t n)
{
  if (n == 0)
    return {};

  // One scale for all directions, so that the curve follows the shape of the domain.
  std::array<double, 3> lower{};
  double size = 0;
  for (std::size_t d = 0; d < 3; ++d)
    {
      const auto bounds = std::minmax_element(points.begin() + d * n, points.begin() + (d + 1) * n);
      lower[d]          = *bounds.first;
      size              = std::max(size, *bounds.second - *bounds.first);
    }
  const double scale = size > 0. ? ((1u << bits) - 1) / size : 0.;

  const int n_threads             = cpu::default_n_threads();
  std::vector<PointOnCurve> curve = cpu::filled_vector<PointOnCurve>(n_threads, n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t p) {
    std::array<std::uint32_t, 3> x;
    for (std::size_t d = 0; d < 3; ++d)
      x[d] = static_cast<std::uint32_t>((points[d * n + p] - lower[d]) * scale);
    curve[p] = {hilbert_key(x), static_cast<std::uint32_t>(p)};
  });
  int bucket_bits = 0;
  while (bucket_bits < 3 * bits && n >> bucket_bits > 4)
    ++bucket_bits;
  cpu::bucket_sort(
    n_threads,
    std::size_t(1) << bucket_bits,
    [=](const PointOnCurve &point) { return point.key >> (3 * bits - bucket_bits); },
    curve);
  std::vector<std::uint32_t> order = cpu::filled_vector<std::uint32_t>(n_threads, n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t i) { order[i] = curve[i].point; });
  return order;
}

std::vector<LocalIndex> number_by_first_touch(const std::size_t n_keys,
                                              const std::size_t n,
                                              std::vector<LocalIndex> &connectivity,
                                              const int n_threads)
{
  // distinguishes the number of a node from an element that has it: neither uses this bit
  constexpr LocalIndex number_bit = LocalIndex(1) << 31;
  const std::size_t n_local       = n == 0 ? 0 : connectivity.size() / n;

  // (1) The first element of each key. The array starts uninitialised: one thread would write it
  // all.
  const auto first = cpu::untouched_array<std::atomic<LocalIndex>>(n_keys);
  cpu::parallel_for(n_threads, n_keys, [&](const std::size_t k) {
    first[k].store(std::numeric_limits<LocalIndex>::max(), std::memory_order_relaxed);
  });
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    for (std::size_t v = 0; v < n_local; ++v)
      lower(first[connectivity[v * n + e]], static_cast<LocalIndex>(e));
  });

  // (2) Blocks of elements count the nodes that they number. Then they store the numbers in place
  // of the first elements.
  constexpr std::size_t of_block = 4096;
  const std::size_t n_blocks     = (n + of_block - 1) / of_block;
  std::vector<LocalIndex> begin(n_blocks + 1, 0);
  const auto visit_first = [&](const std::size_t block, const auto &visit) {
    for (std::size_t e = block * of_block; e < std::min(n, (block + 1) * of_block); ++e)
      for (std::size_t v = 0; v < n_local; ++v)
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
      first[key].store(next++ | number_bit, std::memory_order_relaxed);
    });
  });

  // (3) Replace keys of elements by numbers.
  cpu::parallel_for(n_threads, connectivity.size(), [&](const std::size_t i) {
    connectivity[i] = first[connectivity[i]].load(std::memory_order_relaxed) & ~number_bit;
  });
  return keys;
}
} // namespace strut
