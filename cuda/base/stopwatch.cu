// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "check.h"
#include "cuda_backend.h"

namespace strut::cuda
{
namespace
{
class EventStopwatch : public Stopwatch
{
public:
  explicit EventStopwatch(const Context &context) : context_(context)
  {
    context_.activate();
    STRUT_CUDA_CHECK(cudaEventCreate(&start_));
    STRUT_CUDA_CHECK(cudaEventCreate(&stop_));
  }
  ~EventStopwatch() override
  {
    if (start_ != nullptr)
      cudaEventDestroy(start_);
    if (stop_ != nullptr)
      cudaEventDestroy(stop_);
  }
  EventStopwatch(const EventStopwatch &)            = delete;
  EventStopwatch &operator=(const EventStopwatch &) = delete;

  void start() override
  {
    STRUT_CUDA_CHECK(cudaEventRecord(start_, context_.activate()));
  }
  double stop() override
  {
    STRUT_CUDA_CHECK(cudaEventRecord(stop_, context_.activate()));
    STRUT_CUDA_CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    STRUT_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return 1e-3 * static_cast<double>(milliseconds);
  }

private:
  const Context &context_;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_  = nullptr;
};
} // namespace

std::unique_ptr<Stopwatch> CudaBackend::make_stopwatch() const
{
  return std::make_unique<EventStopwatch>(context_);
}
} // namespace strut::cuda
