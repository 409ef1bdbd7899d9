// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "context.h"

#include <strut/base/memory.h>

namespace strut::cuda
{
/// The memory of one device, by plain cudaMalloc.
///
/// Copies within the device and set_zero() are only submitted: all that could see whether they are
/// done is on the same stream behind them.
class DeviceMemory : public Memory
{
public:
  explicit DeviceMemory(const Context &context) : context_(context)
  {}

  void *allocate(std::size_t bytes) override;
  void deallocate(void *pointer, std::size_t bytes) noexcept override;
  void copy_from_host(void *destination, const void *host_source, std::size_t bytes) override;
  void copy_to_host(void *host_destination, const void *source, std::size_t bytes) override;
  void copy(void *destination, const void *source, std::size_t bytes) override;
  void set_zero(void *destination, std::size_t bytes) override;
  bool is_host() const override
  {
    return false;
  }
  std::size_t available() const override;
  std::size_t in_use() const override
  {
    return in_use_;
  }
  std::size_t peak() const override
  {
    return peak_;
  }

private:
  const Context &context_;
  std::size_t in_use_ = 0;
  std::size_t peak_   = 0;
};
} // namespace strut::cuda
