// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/long_step.h"

#include <cstdio>
#include <system_error>
#include <utility>

#include "plugin/deck/output/run_log.h"

namespace strut
{
LongStep::LongStep(RunLog &log, std::string step, const std::chrono::duration<double> patience)
  : log_(log), step_(std::move(step))
{
  try
    {
      watch_ = std::thread([this, patience] { watch(patience); });
    }
  catch (const std::system_error &)
    {
      // Without a thread, the step runs silently.
    }
}

LongStep::~LongStep()
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  if (watch_.joinable())
    watch_.join();
}

void LongStep::watch(std::chrono::duration<double> patience)
{
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!end_.wait_until(lock,
                          begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                    patience),
                          [this] { return ended_; }))
    {
      char seconds[32];
      std::snprintf(seconds, sizeof(seconds), "%.3g", patience.count());
      log_.say("  ... " + step_ + ": " + seconds + " s so far\n");
      patience *= 5;
    }
}
} // namespace strut
