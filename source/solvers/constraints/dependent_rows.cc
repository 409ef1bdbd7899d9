// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/constraints/dependent_rows.h"

#include <algorithm>
#include <cmath>
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

template <typename Number>
DependentRows<Number>::DependentRows(Backend &backend,
                                     const WeightedRows &rows,
                                     const std::size_t n,
                                     const unsigned int n_components)
  : n_components_(n_components)
{
  if (rows.rows.empty())
    return;
  backend_       = &backend;
  Memory &memory = backend.memory();
  rows_.rows     = Array<std::uint32_t>(memory, rows.rows);
  rows_.offsets  = Array<std::uint32_t>(memory, rows.offsets);
  rows_.columns  = Array<std::uint32_t>(memory, rows.columns);
  rows_.weights =
    Array<Number>(memory, std::vector<Number>(rows.weights.begin(), rows.weights.end()));

  std::vector<RowEntry> transposed, bound;
  transposed.reserve(rows.columns.size());
  bound.reserve(rows.columns.size());
  for (std::size_t k = 0; k < rows.rows.size(); ++k)
    {
      const std::uint32_t begin = rows.offsets[k], end = rows.offsets[k + 1];
      double sum = 0.;
      for (std::uint32_t j = begin; j < end; ++j)
        sum += std::abs(rows.weights[j]);
      for (std::uint32_t j = begin; j < end; ++j)
        {
          transposed.push_back({rows.columns[j], rows.rows[k], rows.weights[j]});
          bound.push_back({rows.columns[j], rows.rows[k], std::abs(rows.weights[j]) * sum});
        }
    }
  transposed_ = gather_rows<Number>(memory, transposed, n, SamePlace::sum);
  bound_      = gather_rows<Number>(memory, bound, n, SamePlace::sum);
}

template <typename Number>
void DependentRows<Number>::combine(const SparseRows<Number> &matrix,
                                    const Number old,
                                    Array<Number> &x) const
{
  if (backend_ != nullptr)
    backend_->vector_operations<Number>().combine(matrix, old, x, n_components_);
}

template <typename Number>
void DependentRows<Number>::distribute(Array<Number> &x) const
{
  combine(rows_, Number(0), x);
}

template <typename Number>
void DependentRows<Number>::condense(Array<Number> &y) const
{
  combine(transposed_, Number(1), y);
}

template <typename Number>
void DependentRows<Number>::condense_bound(Array<Number> &d) const
{
  combine(bound_, Number(1), d);
}

template SparseRows<double>
gather_rows<double>(Memory &, const std::vector<RowEntry> &, std::size_t, SamePlace);
template SparseRows<float>
gather_rows<float>(Memory &, const std::vector<RowEntry> &, std::size_t, SamePlace);
template class DependentRows<double>;
template class DependentRows<float>;
} // namespace strut
