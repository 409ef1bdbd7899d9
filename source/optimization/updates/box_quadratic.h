// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <vector>

namespace strut
{
/// A symmetric positive semidefinite matrix, its lower triangle row by row, `[n (n + 1) / 2]`.
struct PackedMatrix
{
  static std::size_t index(const std::size_t i, const std::size_t j)
  {
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
  }

  double operator()(const std::size_t i, const std::size_t j) const
  {
    return entries[index(i, j)];
  }

  std::vector<double> entries;
};

/// The minimiser of `g.p + p.A p / 2` over `lower <= p <= upper`, all `[n]`, where p = 0 is
/// allowed. It is found by Newton's method in the free variables (Bertsekas 1982). Steps end at the
/// first bound where a projected step does not descend. The method suits n up to some hundreds. The
/// diagonal of A is positive; nearly dependent rows are distinguished down to 1e-13.
std::vector<double> minimise_in_box(const PackedMatrix &A,
                                    const std::vector<double> &g,
                                    const std::vector<double> &lower,
                                    const std::vector<double> &upper);
} // namespace strut
