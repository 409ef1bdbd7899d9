// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <cstddef>
#include <vector>

namespace strut::cuda
{
/// The scratch buffers of Thrust and CUB, from the memory of the backend. They are counted like all
/// other memory, and allocated before anything is timed. A block that was returned is used again by
/// later work of the same stream. The memory is freed with this object.
///
/// The class is an allocator for Thrust's execution policies (thrust_policy.cuh).
class Scratch
{
public:
  using value_type = char;

  explicit Scratch(Memory &memory);

  /// Provide a free block of at least `bytes`. Smaller free blocks are released.
  void reserve(std::size_t bytes);

  /// Returns the smallest free block of sufficient size, or a new one if there is none.
  char *allocate(std::ptrdiff_t bytes);

  void deallocate(char *block, std::size_t bytes) noexcept;

private:
  struct Block
  {
    Array<char> bytes;
    bool is_free;
  };

  Memory &memory_;
  std::vector<Block> blocks_;
};
} // namespace strut::cuda
