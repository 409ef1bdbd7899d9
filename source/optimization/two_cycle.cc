// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/two_cycle.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
constexpr std::size_t n_changes    = 4;    ///< that are a cycle
constexpr std::size_t n_first      = 3;    ///< that are answered: a cycle is met early
constexpr double least_change      = 1e-3; ///< of the objective
constexpr double least_ratio       = 0.3;  ///< of two changes; a cycle may drift
constexpr unsigned int most_halves = 12;

/// Whether the last changes before record n alternate.
bool alternates(const std::vector<IterationRecord> &history,
                const std::size_t n,
                const std::size_t n_changes)
{
  if (n < n_changes + 1)
    return false;
  double smallest = 0., largest = 0., sign = 0.;
  for (std::size_t k = n - n_changes; k < n; ++k)
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
         smallest > least_change * std::abs(history[n - 1].objective);
}

} // namespace

bool ends_in_two_cycle(const std::vector<IterationRecord> &history, const std::size_t n)
{
  return alternates(history, n, n_changes);
}

unsigned int halvings_against_two_cycles(const std::vector<IterationRecord> &history)
{
  unsigned int n_halvings = 0;
  std::size_t last        = 0;
  for (std::size_t n = n_first + 1; n <= history.size() && n_halvings < most_halves; ++n)
    if (n >= last + n_first + 1 && alternates(history, n, n_first))
      {
        ++n_halvings;
        last = n;
      }
  return n_halvings;
}
} // namespace strut
