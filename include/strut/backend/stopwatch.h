// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut
{
/// Times the work of a backend between two points in its order: events on the stream of a
/// GPU, so that launches which the host submits ahead are not counted as gaps; the clock on a CPU.
class Stopwatch
{
public:
  virtual ~Stopwatch() = default;

  virtual void start() = 0;

  /// Wait for the work submitted since start(). @return the seconds that it took
  virtual double stop() = 0;

  /// Add the time of the work submitted since start() to a sum, without waiting for it.
  virtual void pause() = 0;

  /// Seconds between all start() and pause() so far; waits for that work. Begins anew with 0.
  virtual double take_sum() = 0;
};
} // namespace strut
