// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/gather_rows.h"

#include <strut/backend/backend.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Rows as in AffineRows, of `n_components` numbers each that have the same weights.
struct WeightedRows
{
  std::vector<std::uint32_t> rows; ///< ascending
  std::vector<std::uint32_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;
};

/// Such rows on a backend: C gives the entries of the rows from others, which have no row.
template <typename Number>
class DependentRows
{
public:
  DependentRows() = default;

  /// @param n  entries of `n_components` numbers that a vector has
  DependentRows(Backend &backend,
                const WeightedRows &rows,
                std::size_t n,
                unsigned int n_components);

  void distribute(Array<Number> &x) const;     ///< x = C x
  void condense(Array<Number> &y) const;       ///< y = C^T y, but for the entries of the rows
  void condense_bound(Array<Number> &d) const; ///< likewise, with the weights |w_ij| sum_k |w_ik|

private:
  void combine(const SparseRows<Number> &matrix, Number old, Array<Number> &x) const;

  Backend *backend_          = nullptr; ///< null: no rows
  unsigned int n_components_ = 1;
  SparseRows<Number> rows_, transposed_, bound_;
};
} // namespace strut
