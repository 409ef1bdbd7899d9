// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/constraints/dependent_rows.h"

#include <algorithm>
#include <cmath>

namespace strut
{
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

template class DependentRows<double>;
template class DependentRows<float>;
} // namespace strut
