// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut
{
/// Times the work of a backend between two points in its order. On a GPU it uses events on the
/// stream, so that launches which the host submits ahead are not counted as gaps. On a CPU it uses
/// the clock.
class Stopwatch
{
public:
  virtual ~Stopwatch() = default;

  virtual void start() = 0;

  /// Waits for the work submitted since start().
  ///
  /// @return the seconds that it took
  virtual double stop() = 0;

  /// Adds the time of the work submitted since start() to a sum, without waiting for it.
  virtual void pause() = 0;

  /// Returns the seconds between all start() and pause() so far; waits for that work. The sum
  /// restarts at 0.
  virtual double take_sum() = 0;
};
} // namespace strut
