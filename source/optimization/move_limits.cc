// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/move_limits.h"
#include "source/optimization/short_text.h"
#include "source/optimization/two_cycle.h"

#include <algorithm>
#include <cmath>

namespace strut
{
std::pair<unsigned int, std::size_t>
cuts_against_broken_limits(const std::vector<std::vector<double>> &excesses)
{
  constexpr double large =
    0.25; // Smaller excesses are usual: steps overshoot, and maps change in leaps.
  std::pair<unsigned int, std::size_t> cuts{0, 0};
  std::size_t begin = 0; // No design before this one is looked at.
  for (std::size_t n = 1; n < excesses.size(); ++n)
    for (std::size_t i = 0; i < excesses[n].size() && begin < n; ++i)
      {
        const double now = excesses[n][i], before = excesses[n - 1][i];
        const bool leaps = before > large && now > 2. * before;
        const bool rises = n >= begin + 2 && now > before && before > excesses[n - 2][i];
        if (now > large && (leaps || rises))
          {
            cuts  = {cuts.first + 1, i};
            begin = n;
          }
      }
  return cuts;
}

unsigned int MoveLimits::halve(const std::vector<IterationRecord> &history)
{
  if (!answers_two_cycles_)
    return 0;
  const unsigned int n_halvings = halvings_against_two_cycles(history, true);
  factor_                       = std::ldexp(1., -static_cast<int>(n_halvings));
  stopping_factor_ = std::ldexp(1., -static_cast<int>(halvings_against_two_cycles(history)));
  return n_halvings;
}

std::string MoveLimits::answer_two_cycles(const std::vector<IterationRecord> &history)
{
  const unsigned int n_halvings = halve(history);
  if (n_halvings == 0)
    return "";
  const std::vector<IterationRecord> before(history.begin(), history.end() - 1);
  if (halvings_against_two_cycles(before, true) >= n_halvings)
    return "";
  return "designs alternate between two, with objectives " + short_text(before.back().objective) +
         " and " + short_text(history.back().objective) +
         ": from now on densities move by at most " + short_text(factor_ * first_);
}

MoveLimits::Cut MoveLimits::next(std::vector<std::vector<double>> excesses)
{
  const double move = factor_ * first_;
  if (excesses.back().empty()) // There are no constraints.
    return {last_ = move, -1};
  const auto limit_after = [&](const unsigned int n_cuts) { // Each cut takes three quarters.
    return std::max(std::ldexp(first_, -2 * static_cast<int>(n_cuts)), std::min(first_, least));
  };
  const auto [n, which]  = cuts_against_broken_limits(excesses);
  const double of_limits = limit_after(n);
  excesses.pop_back();
  const bool is_new =
    of_limits < limit_after(cuts_against_broken_limits(excesses).first) && of_limits < move;
  last_ = std::min(move, of_limits);
  return {last_, is_new ? static_cast<int>(which) : -1};
}
} // namespace strut
