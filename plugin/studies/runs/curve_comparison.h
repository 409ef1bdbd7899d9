// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plugin/studies/runs/history_file.h"

namespace strut
{
/// Relative difference |a - b| / max(|a|, |b|). It is 0 if both are 0, both are NaN or both are
/// below `least`, which excludes rounding. It is infinite if only one of them is NaN.
double relative_difference(double a, double b, double least = 0.);

/// Comparison of two histories at the designs that both have.
struct CurveComparison
{
  struct Column
  {
    /// Name of the column; if the objectives have different names, "compliance | mass".
    std::string name;
    std::vector<double> a, b;
    std::vector<double> differences; ///< relative differences by design
    bool of_solver  = false;         ///< whether the column is about the solver, not the design
    bool comparable = true;          ///< false for objectives of different kinds

    double largest() const;
    /// First index of the largest difference, in CurveComparison::designs.
    std::size_t place_of_largest() const;
  };

  std::vector<unsigned int> designs; ///< iterations that both have
  std::vector<Column> columns;       ///< columns except times
  std::vector<std::string> only_a, only_b;
  std::size_t n_designs_a = 0, n_designs_b = 0; ///< number of designs of each history

  static CurveComparison of(const HistoryFile &a, const HistoryFile &b);

  /// Indices in `designs` of at most about so many designs, spread from the first to the last.
  std::vector<std::size_t> some_designs(std::size_t most) const;

  /// A sentence about the first difference above a tolerance, ignoring columns of the solver. It
  /// names the first design at which a column differs, columns in order. Else it names a column
  /// that only one history has, else the numbers of designs.
  std::optional<std::string> first_difference(double tolerance) const;
};
} // namespace strut
