// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The numbers k with `target_of[k] = t` for each target t, ascending, in compressed rows.
struct InverseMap
{
  std::vector<std::uint32_t> begin;   ///< `[n_targets + 1]`
  std::vector<std::uint32_t> entries; ///< `[n]`

  template <typename Target>
  InverseMap(const std::vector<Target> &target_of, const std::size_t n_targets)
    : begin(n_targets + 1, 0), entries(target_of.size())
  {
    for (const Target target : target_of)
      ++begin[target + 1];
    for (std::size_t target = 0; target < n_targets; ++target)
      begin[target + 1] += begin[target];
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t k = 0; k < entries.size(); ++k)
      entries[next[target_of[k]]++] = static_cast<std::uint32_t>(k);
  }
};
} // namespace strut
