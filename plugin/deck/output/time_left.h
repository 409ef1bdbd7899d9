// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deque>
#include <string>

namespace strut::plugin
{
/// How long a run may still take: its remaining iterations, at the pace of the last ones. It may
/// converge earlier, so this is a bound for the pace, not for the run.
class TimeLeft
{
public:
  explicit TimeLeft(unsigned int max_iterations);

  /// After an iteration. @param seconds  since the first one began
  /// @return "at this pace at most 3 min left"; empty for short runs, and where that was said a short
  /// while ago
  std::string after(unsigned int iteration, double seconds);

private:
  unsigned int max_iterations_;
  double said_at_ = 0;          ///< seconds; 0: never
  std::deque<double> ends_{0.}; ///< of the last iterations, seconds
};

/// "40 s", "3 min", "2 h 5 min", "4 days": rounded up.
std::string rough_time(double seconds);
} // namespace strut::plugin
