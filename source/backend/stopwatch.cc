// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"

#include <chrono>
#include <utility>

namespace strut::cpu
{
namespace
{
class ClockStopwatch : public Stopwatch
{
public:
  void start() override
  {
    start_ = Clock::now();
  }
  double stop() override
  {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  void pause() override
  {
    sum_ += stop();
  }
  double take_sum() override
  {
    return std::exchange(sum_, 0.);
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
  double sum_ = 0;
};
} // namespace

std::unique_ptr<Stopwatch> make_stopwatch()
{
  return std::make_unique<ClockStopwatch>();
}
} // namespace strut::cpu
