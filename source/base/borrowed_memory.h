// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/base/memory.h>

namespace strut
{
/// A part of another memory that acts as a memory, for temporary arrays in a vector that is not in
/// use. Allocations are consecutive in that part, each with the alignment of its numbers.
class BorrowedMemory : public Memory
{
public:
  /// @param piece  part of `lender`; both must outlive this object
  BorrowedMemory(Memory &lender, void *const piece, const std::size_t bytes)
    : lender_(lender), next_(static_cast<char *>(piece)), left_(bytes)
  {}

  void *allocate(const std::size_t bytes) override
  {
    if (bytes > left_)
      throw OutOfMemory("Not enough borrowed memory.");
    void *const pointer = next_;
    next_ += bytes;
    left_ -= bytes;
    return pointer;
  }
  /// Does nothing: the lender frees the whole piece.
  void deallocate(void *, std::size_t) noexcept override
  {}

  void copy_from_host(void *destination, const void *host_source, const std::size_t bytes) override
  {
    lender_.copy_from_host(destination, host_source, bytes);
  }
  void copy_to_host(void *host_destination, const void *source, const std::size_t bytes) override
  {
    lender_.copy_to_host(host_destination, source, bytes);
  }
  void copy(void *destination, const void *source, const std::size_t bytes) override
  {
    lender_.copy(destination, source, bytes);
  }
  void set_zero(void *destination, const std::size_t bytes) override
  {
    lender_.set_zero(destination, bytes);
  }
  bool is_host() const override
  {
    return lender_.is_host();
  }
  std::size_t available() const override
  {
    return left_;
  }

private:
  Memory &lender_;
  char *next_;
  std::size_t left_;
};
} // namespace strut
