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
/// Rows as in AffineRows, for groups of `n_components` numbers with the same weights.
struct WeightedRows
{
  std::vector<std::uint32_t> rows; ///< ascending
  std::vector<std::uint32_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;
};

/// Weighted rows on a backend. C gives the entries of the rows from others, which have no row.
template <typename Number>
class DependentRows
{
public:
  DependentRows() = default;

  /// Copy the rows to the backend.
  /// @param n  groups of `n_components` numbers in a vector
  DependentRows(Backend &backend,
                const WeightedRows &rows,
                std::size_t n,
                unsigned int n_components);

  void distribute(Array<Number> &x) const;     ///< x = C x
  void condense(Array<Number> &y) const;       ///< y = C^T y, except for the entries of the rows
  void condense_bound(Array<Number> &d) const; ///< condense() with the weights |w_ij| sum_k |w_ik|

private:
  void combine(const SparseRows<Number> &matrix, Number old, Array<Number> &x) const;

  Backend *backend_          = nullptr; ///< null if there are no rows
  unsigned int n_components_ = 1;
  SparseRows<Number> rows_, transposed_, bound_;
};
} // namespace strut
