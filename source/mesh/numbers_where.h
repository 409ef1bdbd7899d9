// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

#include "source/base/parallel_loop.h"

namespace strut
{
/// The numbers i < n for which holds(i) is true, ascending. Several threads call holds().
template <typename Holds>
std::vector<LocalIndex> numbers_where(const int n_threads, const std::size_t n, const Holds &holds)
{
  const auto of_blocks =
    cpu::values_of_blocks(n_threads, n, [&](const std::size_t begin, const std::size_t end) {
      std::vector<LocalIndex> found;
      for (std::size_t i = begin; i < end; ++i)
        if (holds(i))
          found.push_back(static_cast<LocalIndex>(i));
      return found;
    });
  std::vector<LocalIndex> result;
  for (const std::vector<LocalIndex> &found : of_blocks)
    result.insert(result.end(), found.begin(), found.end());
  return result;
}

/// The numbers for which holds(i) is true, on the default number of threads.
template <typename Holds>
std::vector<LocalIndex> numbers_where(const std::size_t n, const Holds &holds)
{
  return numbers_where(cpu::default_n_threads(), n, holds);
}
} // namespace strut
