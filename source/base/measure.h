// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace strut
{
/// Some timed calls: seconds of one.
struct Spread
{
  double median   = 0;
  double smallest = 0;
  double largest  = 0;
};

/// @param seconds  of each call, at least one; of an even number the upper one in the middle counts
inline Spread spread_of(std::vector<double> seconds)
{
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back()};
}

/// Wall time since construction.
class WallClock
{
public:
  double seconds() const
  {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point start_ = Clock::now();
};
} // namespace strut
