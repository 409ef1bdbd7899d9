// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/vector_operations.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// An entry of a sparse matrix.
struct RowEntry
{
  std::uint32_t row, column;
  double weight;
};

/// The treatment of several entries at the same place.
enum class SamePlace
{
  sum,
  largest
};

/// The nonempty rows, ascending, with ascending columns, which is the order of sums.
///
/// @param entries  entries; each row must have ascending columns
/// @param n  upper bound of the row numbers
template <typename Number>
SparseRows<Number> gather_rows(Memory &memory,
                               const std::vector<RowEntry> &entries,
                               std::size_t n,
                               SamePlace same_place);
} // namespace strut
