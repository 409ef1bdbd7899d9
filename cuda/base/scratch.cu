// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/scratch.h"

#include <algorithm>

namespace strut::cuda
{
namespace
{
/// Returns a size that CUB accepts: it takes a size of 0, but no null pointer.
std::size_t at_least_one(const std::size_t bytes)
{
  return std::max<std::size_t>(bytes, 1);
}
} // namespace

Scratch::Scratch(Memory &memory) : memory_(memory)
{}

void Scratch::reserve(const std::size_t bytes)
{
  const std::size_t needed = at_least_one(bytes);
  for (const Block &block : blocks_)
    if (block.is_free && block.bytes.size() >= needed)
      return;
  blocks_.erase(std::remove_if(blocks_.begin(),
                               blocks_.end(),
                               [](const Block &block) { return block.is_free; }),
                blocks_.end());
  blocks_.push_back({Array<char>(memory_, needed), true});
}

char *Scratch::allocate(const std::ptrdiff_t bytes)
{
  const std::size_t needed = at_least_one(static_cast<std::size_t>(bytes));
  Block *best              = nullptr;
  for (Block &block : blocks_)
    if (block.is_free && block.bytes.size() >= needed &&
        (best == nullptr || block.bytes.size() < best->bytes.size()))
      best = &block;
  if (best == nullptr)
    {
      blocks_.push_back({Array<char>(memory_, needed), true});
      best = &blocks_.back();
    }
  best->is_free = false;
  return best->bytes.data();
}

void Scratch::deallocate(char *const block, std::size_t) noexcept
{
  for (Block &other : blocks_)
    if (other.bytes.data() == block)
      other.is_free = true;
}
} // namespace strut::cuda
