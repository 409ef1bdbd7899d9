// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace strut
{
/// Statistics of repeated timed calls, in seconds per call.
struct Spread
{
  double median   = 0;
  double smallest = 0;
  double largest  = 0;
};

/// @param seconds  time of each call, at least one; for an even number the median is the upper
///   middle one
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
