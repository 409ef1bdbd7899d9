// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/check.h"

#include <utility>

namespace strut::cuda
{
namespace
{
/// A stopwatch with events before and after the work. A ring of events keeps the times that have
/// not been read yet. When an event is reused, its work was done long before.
class EventStopwatch : public Stopwatch
{
public:
  explicit EventStopwatch(const Context &context) : context_(context)
  {
    context_.activate();
    for (Lap &lap : laps_)
      {
        STRUT_CUDA_CHECK(cudaEventCreate(&lap.start));
        STRUT_CUDA_CHECK(cudaEventCreate(&lap.stop));
      }
  }
  ~EventStopwatch() override
  {
    for (const Lap &lap : laps_)
      {
        if (lap.start != nullptr)
          cudaEventDestroy(lap.start);
        if (lap.stop != nullptr)
          cudaEventDestroy(lap.stop);
      }
  }
  EventStopwatch(const EventStopwatch &)            = delete;
  EventStopwatch &operator=(const EventStopwatch &) = delete;

  void start() override
  {
    STRUT_CUDA_CHECK(cudaEventRecord(laps_[next_].start, context_.activate()));
  }
  double stop() override
  {
    STRUT_CUDA_CHECK(cudaEventRecord(laps_[next_].stop, context_.activate()));
    return seconds(laps_[next_]);
  }
  void pause() override
  {
    STRUT_CUDA_CHECK(cudaEventRecord(laps_[next_].stop, context_.activate()));
    laps_[next_].counts = true;
    next_               = (next_ + 1) % n_laps;
    read(laps_[next_]);
  }
  double take_sum() override
  {
    for (Lap &lap : laps_)
      read(lap);
    return std::exchange(sum_, 0.);
  }

private:
  struct Lap
  {
    cudaEvent_t start = nullptr;
    cudaEvent_t stop  = nullptr;
    bool counts       = false; ///< the time was stopped and is not yet in the sum
  };

  static double seconds(const Lap &lap)
  {
    STRUT_CUDA_CHECK(cudaEventSynchronize(lap.stop));
    float milliseconds = 0;
    STRUT_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, lap.start, lap.stop));
    return 1e-3 * static_cast<double>(milliseconds);
  }
  void read(Lap &lap)
  {
    if (lap.counts)
      sum_ += seconds(lap);
    lap.counts = false;
  }

  static constexpr int n_laps = 16;
  const Context &context_;
  Lap laps_[n_laps];
  int next_   = 0;
  double sum_ = 0;
};
} // namespace

std::unique_ptr<Stopwatch> make_stopwatch(const Context &context)
{
  return std::make_unique<EventStopwatch>(context);
}
} // namespace strut::cuda
