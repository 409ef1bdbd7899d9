// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <future>
#include <string>

namespace strut::cuda
{
/// One device, the one stream for all work of a backend, and the scratch of the reductions.
///
/// The driver takes 0.1 to 0.2 s to start on a device. A thread waits for it, so that the host can
/// make the mesh meanwhile. The first call of activate() waits for that thread.
///
/// Not thread-safe: one host thread uses a context at a time.
class Context
{
public:
  /// Largest number of blocks of a reduction, and so of partial sums.
  static constexpr int max_reduction_blocks = 1024;
  /// Largest number of sums of one reduction, see parallel_sums().
  static constexpr int max_sums = 64;

  /// Memory for the partial sums of a reduction's blocks, and for its result.
  struct ReductionScratch
  {
    double *partial;        ///< `[max_sums][max_reduction_blocks]`, on the device
    unsigned int *finished; ///< number of finished blocks, on the device; 0 between reductions
    double *result;         ///< `[max_sums]`, page-locked host memory that the device writes to
  };

  /// Make a context.
  /// @param stream  of the application, which must outlive this object; null to create one
  /// @throws Error if there is no such device, with a list of the existing ones; for a stream of
  ///   another device, and for cudaStreamPerThread. What else fails on the device is thrown by
  ///   activate().
  explicit Context(int device, cudaStream_t stream = nullptr);
  ~Context();

  Context(const Context &)            = delete;
  Context &operator=(const Context &) = delete;

  /// Make the device current on the calling thread, and return the stream. Call it before each
  /// launch and copy, so that one process may have backends on several devices.
  cudaStream_t activate() const;

  /// Wait for all work on the stream.
  void synchronize() const;

  /// Whether work can be captured as a graph: not on the legacy default stream.
  bool can_capture() const
  {
    return owns_stream_ || stream_ != cudaStreamLegacy;
  }

  int device() const
  {
    return device_;
  }

  /// Identifier such as "GPU-5f0c1b2a-...", as in `nvidia-smi -L`: the same for any process,
  /// whatever CUDA_VISIBLE_DEVICES selects.
  const std::string &uuid() const
  {
    return uuid_;
  }

  /// Name, memory, driver and runtime versions.
  const std::string &description() const
  {
    return description_;
  }

  /// Returns the scratch, which is there after the first activate().
  const ReductionScratch &reduction_scratch() const
  {
    return reduction_scratch_;
  }

private:
  void start();
  void release() noexcept;

  const int device_;
  cudaStream_t stream_;
  const bool owns_stream_;
  std::string uuid_, description_;
  std::shared_future<void> started_; ///< end of start(), and what it threw
  ReductionScratch reduction_scratch_ = {nullptr, nullptr, nullptr};
};

/// Number of usable devices; if 0, `reason` (if given) says why.
int count_devices(std::string *reason);
} // namespace strut::cuda
