// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deque>
#include <string>

namespace strut
{
/// Estimates the remaining time of a run from its remaining iterations at the pace of the last
/// ones. The run may converge earlier, so this is an upper bound at that pace.
class TimeLeft
{
public:
  explicit TimeLeft(unsigned int max_iterations);

  /// Adds an iteration. @param seconds  time since the first one began
  /// @return "at this pace at most 3 min left"; empty for short runs, and shortly after an earlier
  ///   line
  std::string after(unsigned int iteration, double seconds);

private:
  unsigned int max_iterations_;
  double said_at_ = 0;          ///< seconds; 0: never
  std::deque<double> ends_{0.}; ///< end times of the last iterations in seconds
};

/// Returns "40 s", "3 min", "2 h 5 min" or "4 days", rounded up.
std::string rough_time(double seconds);
} // namespace strut
