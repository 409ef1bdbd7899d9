// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plugin/studies/runs/history_file.h"

namespace strut::plugin
{
/// |a - b| / max(|a|, |b|). 0 if both are 0, both are no number, or both are below `least`, which is for rounding;
/// infinite if one of them alone is a number.
double relative_difference(double a, double b, double least = 0.);

/// The numbers of two histories at the designs that both have.
struct CurveComparison
{
  struct Column
  {
    std::string name; ///< of the objective, if they differ: "compliance | mass"
    std::vector<double> a, b;
    std::vector<double> differences; ///< relative
    bool of_solver  = false;         ///< how the systems were solved, not what the design is
    bool comparable = true;          ///< false: objectives of other kinds

    double largest() const;
    std::size_t place_of_largest() const; ///< the first one, into CurveComparison::designs
  };

  std::vector<unsigned int> designs; ///< iterations
  std::vector<Column> columns;       ///< without times
  std::vector<std::string> only_a, only_b;
  std::size_t n_designs_a = 0, n_designs_b = 0; ///< of each history

  static CurveComparison of(const HistoryFile &a, const HistoryFile &b);

  /// About so many designs from the first to the last: places in `designs`.
  std::vector<std::size_t> some_designs(std::size_t most) const;

  /// What differs by more than a tolerance, as a sentence: the first design where a column does so, in the order of
  /// the columns; else a column that one of them alone has, else the number of designs. Not the columns of the solver.
  std::optional<std::string> first_difference(double tolerance) const;
};
} // namespace strut::plugin
