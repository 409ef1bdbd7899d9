// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace strut::cuda
{
/// One device, the one stream for all work of a backend, and the scratch of the reductions.
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
  ///   another device, and for cudaStreamPerThread
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
    return stream_ != cudaStreamLegacy;
  }

  int device() const
  {
    return device_;
  }

  /// Identifier such as "GPU-5f0c1b2a-...", as in `nvidia-smi -L`: the same for any process,
  /// whatever CUDA_VISIBLE_DEVICES selects.
  std::string uuid() const;

  /// Name, memory, driver and runtime versions.
  std::string description() const;

  const ReductionScratch &reduction_scratch() const
  {
    return reduction_scratch_;
  }

private:
  void release() noexcept;

  int device_;
  cudaStream_t stream_;
  bool owns_stream_;
  ReductionScratch reduction_scratch_ = {nullptr, nullptr, nullptr};
};

/// Number of usable devices; if 0, `reason` (if given) says why.
int count_devices(std::string *reason);
} // namespace strut::cuda
