// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace strut
{
class RunLog;

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
} // namespace strut
