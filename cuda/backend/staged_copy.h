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
/// page-locked buffers. While the device uses one, threads fill or empty the other. The driver's
/// own copies use one thread, which also makes the pages of new memory: 3 to 6 GB/s.
///
/// The buffers are made by the first copy, which takes some milliseconds, and kept.
class StagedCopy
{
public:
  /// Least size for which staging is faster.
  static constexpr std::size_t least_bytes = std::size_t(1) << 25;
  static constexpr std::size_t buffer_size = std::size_t(1) << 24;

  explicit StagedCopy(const Context &context);
  ~StagedCopy();
  StagedCopy(const StagedCopy &)            = delete;
  StagedCopy &operator=(const StagedCopy &) = delete;

  /// Copy after all earlier work of the stream, and return when all is copied. They return false
  /// without copying for fewer bytes, without buffers from the system, and while another thread
  /// copies.
  bool from_host(char *destination, const char *source, std::size_t bytes);
  bool to_host(char *destination, const char *source, std::size_t bytes);

private:
  struct Buffer
  {
    char *bytes         = nullptr;
    cudaEvent_t is_free = nullptr; ///< recorded when the device has filled or emptied it
  };

  bool provide_buffers();
  void release() noexcept;

  const Context &context_;
  std::mutex in_use_;
  std::array<Buffer, 2> buffers_{};
  bool was_tried_ = false, has_buffers_ = false;
};
} // namespace strut::cuda
