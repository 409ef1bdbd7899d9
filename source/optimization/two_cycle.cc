// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/two_cycle.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// Alternating changes that make a cycle: their number, and the share of the objective that each
/// exceeds.
struct Pattern
{
  std::size_t n_changes;
  double least_change;
};
constexpr Pattern is_cycle         = {4, 1e-3};
constexpr Pattern is_answered      = {3, 1e-3}; ///< answered before it counts as a cycle
constexpr Pattern is_small         = {8, 1e-5}; ///< long enough to exclude rounding errors
constexpr double least_ratio       = 0.3; ///< least ratio of two changes, since a cycle may drift
constexpr unsigned int most_halves = 12;
/// Small cycles are ignored after this many halvings in all.
constexpr unsigned int most_small = 6;

/// Whether the last changes before record n alternate.
/// @param begin  no record before this one is looked at
bool alternates(const std::vector<IterationRecord> &history,
                const std::size_t begin,
                const std::size_t n,
                const Pattern &pattern)
{
  if (n < begin + pattern.n_changes + 1)
    return false;
  double smallest = 0., largest = 0., sign = 0.;
  for (std::size_t k = n - pattern.n_changes; k < n; ++k)
    {
      const double change = history[k].objective - history[k - 1].objective;
      if (change * sign > 0.)
        return false;
      const double size = std::abs(change);
      smallest          = sign == 0. ? size : std::min(smallest, size);
      largest           = std::max(largest, size);
      sign              = change;
    }
  return smallest >= least_ratio * largest &&
         smallest > pattern.least_change * std::abs(history[n - 1].objective);
}
} // namespace

bool ends_in_two_cycle(const std::vector<IterationRecord> &history)
{
  return alternates(history, 0, history.size(), is_cycle);
}

unsigned int halvings_against_two_cycles(const std::vector<IterationRecord> &history,
                                         const bool and_small)
{
  unsigned int n_halvings = 0;
  std::size_t last        = 0;
  for (std::size_t n = 1; n <= history.size() && n_halvings < most_halves; ++n)
    if (alternates(history, last, n, is_answered) ||
        (and_small && n_halvings < most_small && alternates(history, last, n, is_small)))
      {
        ++n_halvings;
        last = n;
      }
  return n_halvings;
}
} // namespace strut
