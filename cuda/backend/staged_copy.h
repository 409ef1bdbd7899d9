// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"

#include <array>
#include <cstddef>
#include <mutex>

namespace strut::cuda
{
/// Copies of large arrays between a device and host memory that is not page-locked, through two
/// page-locked buffers: while the device has one, threads fill or empty the other. The driver's own
/// copies do that with one thread, which also makes the pages of new memory alone: 3 to 6 GB/s.
///
/// The buffers are made by the first copy, which takes some milliseconds, and kept.
class StagedCopy
{
public:
  /// From this size on it pays.
  static constexpr std::size_t least_bytes = std::size_t(1) << 25;
  static constexpr std::size_t buffer_size = std::size_t(1) << 24;

  explicit StagedCopy(const Context &context);
  ~StagedCopy();
  StagedCopy(const StagedCopy &)            = delete;
  StagedCopy &operator=(const StagedCopy &) = delete;

  /// After all earlier work of the stream; both return when all is copied. False, and nothing is
  /// done, for fewer bytes, where the system gives no buffers, and while another thread copies.
  bool from_host(char *destination, const char *source, std::size_t bytes);
  bool to_host(char *destination, const char *source, std::size_t bytes);

private:
  struct Buffer
  {
    char *bytes         = nullptr;
    cudaEvent_t is_free = nullptr; ///< the device has filled or emptied it
  };

  bool provide_buffers();
  void release() noexcept;

  const Context &context_;
  std::mutex in_use_;
  std::array<Buffer, 2> buffers_{};
  bool was_tried_ = false, has_buffers_ = false;
};
} // namespace strut::cuda
