// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/scratch.h"

#include "../../fixtures/backends.h"
#include "cuda/comparison/assembly/key_bits.h"

#include <gtest/gtest.h>

#include <set>

// Host code of the CUDA backend: needs the toolkit to be built, no device to be tested.
namespace strut::test
{
namespace
{
using cuda::n_key_bits;
using cuda::Scratch;

struct ScratchTest : ::testing::Test
{
  std::unique_ptr<Backend> backend = make_cpu_backend(1);
  Memory &memory                   = backend->memory();
};

// A reserved block serves one piece of work after the other, without new memory.
TEST_F(ScratchTest, UsesABlockAgain)
{
  const std::size_t before = memory.in_use();
  {
    Scratch scratch(memory);
    scratch.reserve(1000);
    EXPECT_EQ(memory.in_use(), before + 1000);
    char *const first = scratch.allocate(900);
    scratch.deallocate(first, 900);
    EXPECT_EQ(scratch.allocate(1000), first);
    scratch.deallocate(first, 1000);
    scratch.reserve(500);
    EXPECT_EQ(memory.in_use(), before + 1000);
    scratch.reserve(3000); // replaces the small one
    EXPECT_EQ(memory.in_use(), before + 3000);
  }
  EXPECT_EQ(memory.in_use(), before);
}

// Blocks in use at the same time are different ones; a reservation leaves them alone.
TEST_F(ScratchTest, KeepsBlocksInUseApart)
{
  Scratch scratch(memory);
  std::set<char *> blocks;
  for (const std::ptrdiff_t bytes : {0, 1, 100, 10})
    blocks.insert(scratch.allocate(bytes));
  EXPECT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks.count(nullptr), 0u);
  const std::size_t in_use = memory.in_use();
  scratch.reserve(1000);
  EXPECT_EQ(memory.in_use(), in_use + 1000);
  for (char *const block : blocks)
    scratch.deallocate(block, 1);
  scratch.reserve(2000);
  EXPECT_EQ(memory.in_use(), in_use - 111 - 1 + 2000);
}

// The smallest block that is large enough.
TEST_F(ScratchTest, TakesTheBestBlock)
{
  Scratch scratch(memory);
  char *const large = scratch.allocate(1000);
  char *const small = scratch.allocate(100);
  scratch.deallocate(large, 1000);
  scratch.deallocate(small, 100);
  EXPECT_EQ(scratch.allocate(50), small);
  EXPECT_EQ(scratch.allocate(50), large);
}

TEST(KeyBits, HoldAllNumbersBelow)
{
  EXPECT_EQ(n_key_bits(0), 1);
  EXPECT_EQ(n_key_bits(2), 1);
  EXPECT_EQ(n_key_bits(3), 2);
  EXPECT_EQ(n_key_bits(256), 8);
  EXPECT_EQ(n_key_bits(257), 9);
  EXPECT_EQ(n_key_bits(std::size_t(1) << 32), 32);
}
} // namespace
} // namespace strut::test
