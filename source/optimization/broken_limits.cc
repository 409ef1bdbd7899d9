// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/broken_limits.h"

#include <cstdlib>

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
} // namespace strut
