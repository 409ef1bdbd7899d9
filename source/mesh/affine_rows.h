// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace strut
{
/// Appends row k to other rows.
inline void append_row(const AffineRows &rows, const std::size_t k, AffineRows &others)
{
  if (others.offsets.empty())
    others.offsets = {0};
  const auto begin = static_cast<std::ptrdiff_t>(rows.offsets[k]),
             end   = static_cast<std::ptrdiff_t>(rows.offsets[k + 1]);
  others.dofs.push_back(rows.dofs[k]);
  others.values.push_back(rows.values[k]);
  others.masters.insert(others.masters.end(),
                        rows.masters.begin() + begin,
                        rows.masters.begin() + end);
  others.weights.insert(others.weights.end(),
                        rows.weights.begin() + begin,
                        rows.weights.begin() + end);
  others.offsets.push_back(static_cast<std::uint32_t>(others.masters.size()));
}

/// Returns whether all rows are of one node each, as on faces that slide.
inline bool are_within_nodes(const AffineRows &rows, const unsigned int n_components)
{
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      if (rows.masters[j] / n_components != rows.dofs[k] / n_components)
        return false;
  return true;
}

/// Adds rows to those of a mesh, and sorts all by their DoFs.
inline void merge_rows(const AffineRows &added, AffineRows &rows)
{
  AffineRows all = rows;
  for (std::size_t k = 0; k < added.dofs.size(); ++k)
    append_row(added, k, all);
  std::vector<std::size_t> order(all.dofs.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](const std::size_t a, const std::size_t b) {
    return all.dofs[a] < all.dofs[b];
  });
  rows = {};
  for (const std::size_t k : order)
    append_row(all, k, rows);
}
} // namespace strut
