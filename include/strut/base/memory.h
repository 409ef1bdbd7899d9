// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <cstddef>

namespace strut
{
/// The memory for the arrays of a backend: that of the host or of one device.
///
/// All copies are ordered after earlier work of the backend, and have completed on return.
class Memory
{
public:
  virtual ~Memory() = default;

  /// Allocates `bytes` bytes. Throws OutOfMemory, which names the bytes needed and free.
  virtual void *allocate(std::size_t bytes) = 0;

  /// Frees memory of allocate(), with the same number of bytes.
  virtual void deallocate(void *pointer, std::size_t bytes) noexcept = 0;

  virtual void copy_from_host(void *destination, const void *host_source, std::size_t bytes) = 0;

  virtual void copy_to_host(void *host_destination, const void *source, std::size_t bytes) = 0;

  /// Copies within this memory.
  virtual void copy(void *destination, const void *source, std::size_t bytes) = 0;

  virtual void set_zero(void *destination, std::size_t bytes) = 0;

  /// True if the host may dereference pointers into this memory.
  virtual bool is_host() const = 0;

  /// False if kernels and copy() cannot read the address. On a device this holds for host memory
  /// that is not pinned, and for memory of another device.
  virtual bool can_read(const void * /*pointer*/) const
  {
    return true;
  }

  /// Bytes that allocate() can still provide.
  virtual std::size_t available() const = 0;

  /// Bytes that arrays of this memory hold now, and the largest number held so far.
  std::size_t in_use() const
  {
    return in_use_;
  }
  std::size_t peak() const
  {
    return peak_;
  }

protected:
  void count_allocated(const std::size_t bytes)
  {
    in_use_ += bytes;
    peak_ = std::max(peak_, in_use_);
  }
  void count_deallocated(const std::size_t bytes)
  {
    in_use_ -= bytes;
  }

private:
  std::size_t in_use_ = 0;
  std::size_t peak_   = 0;
};
} // namespace strut
