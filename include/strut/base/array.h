// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/memory.h>

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace strut
{
/// A fixed-size array in the memory of a backend: owned, zero-initialised, movable, not copyable.
template <typename T>
class Array
{
public:
  Array() = default;

  Array(Memory &memory, const std::size_t size) : memory_(&memory), size_(size)
  {
    if (size_ > 0)
      {
        data_ = static_cast<T *>(memory.allocate(size_ * sizeof(T)));
        memory.set_zero(data_, size_ * sizeof(T));
      }
  }

  /// An array with a copy of `values`.
  Array(Memory &memory, const std::vector<T> &values) : memory_(&memory), size_(values.size())
  {
    if (size_ > 0)
      {
        data_ = static_cast<T *>(memory.allocate(size_ * sizeof(T)));
        memory.copy_from_host(data_, values.data(), size_ * sizeof(T));
      }
  }

  Array(Array &&other) noexcept
  {
    swap(other);
  }

  Array &operator=(Array &&other) noexcept
  {
    Array moved(std::move(other));
    swap(moved);
    return *this;
  }

  Array(const Array &)            = delete;
  Array &operator=(const Array &) = delete;

  ~Array()
  {
    if (data_ != nullptr)
      memory_->deallocate(data_, size_ * sizeof(T));
  }

  void swap(Array &other) noexcept
  {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  /// Pointer into the backend's memory; not for the host unless Memory::is_host().
  T *data()
  {
    return data_;
  }
  const T *data() const
  {
    return data_;
  }

  std::size_t size() const
  {
    return size_;
  }
  bool empty() const
  {
    return size_ == 0;
  }

  void copy_from_host(const std::vector<T> &values)
  {
    assert(values.size() == size_);
    if (size_ > 0)
      memory_->copy_from_host(data_, values.data(), size_ * sizeof(T));
  }

  std::vector<T> to_host() const
  {
    std::vector<T> values(size_);
    if (size_ > 0)
      memory_->copy_to_host(values.data(), data_, size_ * sizeof(T));
    return values;
  }

  void copy_from(const Array &other)
  {
    assert(other.size_ == size_);
    if (size_ > 0)
      memory_->copy(data_, other.data_, size_ * sizeof(T));
  }

  void set_zero()
  {
    if (size_ > 0)
      memory_->set_zero(data_, size_ * sizeof(T));
  }

private:
  Memory *memory_   = nullptr;
  T *data_          = nullptr;
  std::size_t size_ = 0;
};
} // namespace strut
