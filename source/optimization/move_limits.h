// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_method.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Counts how often an update has cut its moves because a limit is broken and gets worse. A cut is
/// made where the excess of a constraint is large, and has grown twice in a row or more than
/// doubled. The designs after a cut are judged anew. The count follows from the values alone, so a
/// restart continues it.
///
/// @param excesses  for each design the excesses of all constraints, relative to their sizes; above
///   0 a limit is broken
/// @return the number of cuts, and the index of the constraint that caused the last one
std::pair<unsigned int, std::size_t>
cuts_against_broken_limits(const std::vector<std::vector<double>> &excesses);

/// The largest change of a design variable in each step of Simp. It is reduced where designs
/// alternate between two, and where a limit is broken and gets worse.
class MoveLimits
{
public:
  /// Make the limits.
  /// @param first  the move limit of the deck
  /// @param answers_two_cycles  false if the update damps alternation by itself
  MoveLimits(const double first, const bool answers_two_cycles)
    : first_(first), answers_two_cycles_(answers_two_cycles)
  {}

  /// Reduce the moves where the history alternates between two designs.
  /// @return a warning if they are reduced from this design on; else empty
  std::string answer_two_cycles(const std::vector<IterationRecord> &history);
  /// Count the halvings that this history requires.
  /// @return the number of halvings
  unsigned int halve(const std::vector<IterationRecord> &history);

  struct Cut
  {
    double move_limit;
    int broken; ///< constraint for which the moves are cut from this design on; -1 if there is none
  };
  /// Find the move limit of the next step, after the halvings and the cuts.
  /// @param excesses  for each design the relative violation of each constraint, the last one
  ///   included
  Cut next(std::vector<std::vector<double>> excesses);

  /// Whether the last step may have been smaller.
  bool can_be_smaller() const
  {
    return last_ > least;
  }
  /// Factor of the density change that ends a run: small two-cycles do not count as changes.
  double stopping_factor() const
  {
    return stopping_factor_;
  }

private:
  /// Least move limit after cuts against broken limits, unless the deck asks for less.
  static constexpr double least = 0.02;

  double first_;
  bool answers_two_cycles_;
  double factor_          = 1.; ///< factor after the halvings
  double stopping_factor_ = 1.;
  double last_            = 1.; ///< move limit of the last step
};
} // namespace strut
