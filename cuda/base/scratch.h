// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <cstddef>
#include <vector>

namespace strut::cuda
{
/// The scratch buffers of Thrust and CUB, from the memory of the backend: counted like all other
/// memory, and taken before anything is timed. A block that is given back is used again by later
/// work of the same stream; the memory goes with this object.
///
/// An allocator as Thrust's execution policies want it (thrust_policy.cuh).
class Scratch
{
public:
  using value_type = char;

  explicit Scratch(Memory &memory);

  /// Have a free block of `bytes` or more. Blocks that are free and smaller go.
  void reserve(std::size_t bytes);

  /// The smallest free block that has the bytes; a new one if there is none.
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
