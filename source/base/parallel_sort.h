// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "source/base/parallel_loop.h"

namespace strut::cpu
{
/// Sorts numbers or small records by all threads: each sorts a part, then pairs of parts are
/// merged. Entries that `less` does not tell apart may come in any order.
template <typename T, typename Less>
void parallel_sort(const int n_threads, std::vector<T> &values, const Less &less)
{
  constexpr std::size_t least_part = std::size_t(1) << 16;
  const std::size_t n              = values.size();
  const std::size_t n_parts =
    std::clamp<std::size_t>(n / least_part, 1, static_cast<std::size_t>(std::max(n_threads, 1)));
  const auto begin_of = [&](const std::size_t part) {
    return values.begin() +
           static_cast<std::ptrdiff_t>(n / n_parts * part + std::min(part, n % n_parts));
  };
  parallel_for_long(n_threads, n_parts, [&](const std::size_t part) {
    std::sort(begin_of(part), begin_of(part + 1), less);
  });
  for (std::size_t width = 1; width < n_parts; width *= 2)
    parallel_for_long(n_threads, (n_parts + 2 * width - 1) / (2 * width), [&](const std::size_t i) {
      const std::size_t first = 2 * width * i;
      if (first + width < n_parts)
        std::inplace_merge(begin_of(first),
                           begin_of(first + width),
                           begin_of(std::min(first + 2 * width, n_parts)),
                           less);
    });
}
} // namespace strut::cpu
