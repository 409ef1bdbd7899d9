// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/gather_rows.h"

#include <algorithm>
#include <numeric>

namespace strut
{
template <typename Number>
SparseRows<Number> gather_rows(Memory &memory,
                               const std::vector<RowEntry> &entries,
                               const std::size_t n,
                               const SamePlace same_place)
{
  std::vector<std::uint32_t> begin(n + 1, 0);
  for (const RowEntry &entry : entries)
    ++begin[entry.row + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  std::vector<RowEntry> sorted(entries.size());
  for (const RowEntry &entry : entries)
    sorted[next[entry.row]++] = entry;

  std::vector<std::uint32_t> rows, offsets, columns;
  std::vector<Number> weights;
  columns.reserve(entries.size());
  weights.reserve(entries.size());
  for (std::uint32_t row = 0; row < n; ++row)
    {
      if (begin[row] == begin[row + 1])
        continue;
      rows.push_back(row);
      offsets.push_back(static_cast<std::uint32_t>(columns.size()));
      for (std::uint32_t k = begin[row]; k < begin[row + 1];)
        {
          const std::uint32_t column = sorted[k].column;
          double weight              = sorted[k].weight;
          for (++k; k < begin[row + 1] && sorted[k].column == column; ++k)
            weight = same_place == SamePlace::largest ? std::max(weight, sorted[k].weight)
                                                      : weight + sorted[k].weight;
          columns.push_back(column);
          weights.push_back(static_cast<Number>(weight));
        }
    }
  offsets.push_back(static_cast<std::uint32_t>(columns.size()));

  SparseRows<Number> result;
  result.rows    = Array<std::uint32_t>(memory, rows);
  result.offsets = Array<std::uint32_t>(memory, offsets);
  result.columns = Array<std::uint32_t>(memory, columns);
  result.weights = Array<Number>(memory, weights);
  return result;
}

template decltype(gather_rows<double>) gather_rows<double>;
template decltype(gather_rows<float>) gather_rows<float>;
} // namespace strut
