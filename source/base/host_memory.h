// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/memory.h>

namespace strut::cpu
{
/// Host memory, aligned to cache lines.
class HostMemory : public Memory
{
public:
  void *allocate(std::size_t bytes) override;
  void deallocate(void *pointer, std::size_t bytes) noexcept override;
  void copy_from_host(void *destination, const void *host_source, std::size_t bytes) override;
  void copy_to_host(void *host_destination, const void *source, std::size_t bytes) override;
  void copy(void *destination, const void *source, std::size_t bytes) override;
  void set_zero(void *destination, std::size_t bytes) override;
  bool is_host() const override
  {
    return true;
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
  std::size_t in_use_ = 0;
  std::size_t peak_   = 0;
};
} // namespace strut::cpu
