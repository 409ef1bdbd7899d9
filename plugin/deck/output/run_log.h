// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace strut
{
/// The messages of a run on rank 0. Notes are lines that begin with "NOTE:" or "WARNING:", with the
/// following lines that are indented deeper. A quiet log prints only notes. All notes are kept for
/// summary.json.
class RunLog
{
public:
  /// @param speaks  whether this rank prints
  RunLog(std::ostream &screen, bool speaks, bool quiet);

  /// Prints one or more whole lines. Several threads may call it.
  void say(const std::string &text);

  /// Prints lines that a quiet log prints, too.
  void say_always(const std::string &text);

  /// Inserts notes of an earlier start of the run before those of this one, each once.
  void put_before(std::vector<std::string> earlier);

  /// The notes, each on one line, without "NOTE: " and indentation. Warnings keep their "WARNING:
  /// ".
  const std::vector<std::string> &notes() const
  {
    return notes_;
  }

private:
  std::ostream &screen_;
  bool speaks_;
  bool quiet_;
  std::mutex mutex_;
  std::vector<std::string> notes_;
};

/// A step of a run that may be long. If it has not ended after some time, the log says what is
/// being done. It repeats that whenever the duration has grown fivefold. The step ends with this
/// object. Short steps, and steps with their own output, leave no line.
class LongStep
{
public:
  /// @param step  description of the work: "making the mesh"
  LongStep(RunLog &log,
           std::string step,
           std::chrono::duration<double> patience = std::chrono::seconds(2));
  ~LongStep();
  LongStep(const LongStep &)            = delete;
  LongStep &operator=(const LongStep &) = delete;

private:
  void watch(std::chrono::duration<double> patience);

  RunLog &log_;
  const std::string step_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread watch_; ///< the last member: it uses the others
};

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
