// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/errors.h"
#include "../fixtures/vectors.h"

#include <cstdint>
#include <vector>

namespace strut::test
{
namespace
{
using ArrayTest = PlaceTest;

TEST_P(ArrayTest, BeginsWithZeros)
{
  // take memory that was written before
  {
    Array<float> used(memory(), std::vector<float>(1000, 7.f));
  }
  EXPECT_EQ(Array<float>(memory(), 1000).to_host(), std::vector<float>(1000, 0.f));
}

TEST_P(ArrayTest, KeepsWhatItIsGiven)
{
  const auto values = random_vector(1234, 1);
  Array<double> array(memory(), values), copy(memory(), values.size());
  EXPECT_TRUE(same_bits(array.to_host(), values));
  copy.copy_from(array);
  array.set_zero();
  EXPECT_EQ(max_norm(array.to_host()), 0.);
  EXPECT_TRUE(same_bits(copy.to_host(), values));
  array.copy_from_host(values);
  EXPECT_TRUE(same_bits(array.to_host(), values));
}

// Large arrays go through buffers: sizes around those of the buffers, and an odd number of bytes.
TEST_P(ArrayTest, KeepsLargeArrays)
{
  constexpr std::size_t mebi = std::size_t(1) << 20;
  for (const std::size_t n : {32 * mebi - 1, 32 * mebi, 49 * mebi + 12345})
    {
      std::vector<unsigned char> values(n), others(n);
      std::uint32_t random = static_cast<std::uint32_t>(n); // a linear congruential generator
      for (std::size_t i = 0; i < n; ++i)
        {
          random    = 1664525u * random + 1013904223u;
          values[i] = static_cast<unsigned char>(random >> 24);
          others[i] = static_cast<unsigned char>(random >> 16);
        }
      Array<unsigned char> array(memory(), values);
      EXPECT_TRUE(array.to_host() == values) << n; // containers of this size are not to be printed
      array.copy_from_host(others);
      EXPECT_TRUE(array.to_host() == others) << n;
    }
}

TEST_P(ArrayTest, MovesWithoutCopying)
{
  const auto values = random_vector(100, 2);
  Array<double> first(memory(), values);
  const double *const data = first.data();
  Array<double> second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_TRUE(first.empty()); // NOLINT: that is what is tested
  first = std::move(second);
  EXPECT_EQ(first.data(), data);
  EXPECT_TRUE(second.empty()); // NOLINT
  second.swap(first);
  EXPECT_TRUE(same_bits(second.to_host(), values));
}

TEST_P(ArrayTest, MayBeEmpty)
{
  Array<double> nothing(memory(), std::size_t(0)), copy(memory(), std::vector<double>());
  copy.copy_from(nothing);
  copy.set_zero();
  copy.copy_from_host({});
  EXPECT_TRUE(copy.to_host().empty());
  EXPECT_EQ(memory().in_use(), 0u);
}

// in_use counts the bytes of arrays; peak the most that they ever had.
TEST_P(ArrayTest, IsAccountedFor)
{
  const std::size_t in_use = memory().in_use();
  constexpr std::size_t n  = 10000;
  {
    const Array<double> first(memory(), n);
    EXPECT_GE(memory().in_use(), in_use + n * sizeof(double));
    {
      const Array<double> second(memory(), 2 * n);
      EXPECT_GE(memory().in_use(), in_use + 3 * n * sizeof(double));
    }
    EXPECT_LT(memory().in_use(), in_use + 2 * n * sizeof(double));
    EXPECT_GE(memory().peak(), in_use + 3 * n * sizeof(double));
  }
  EXPECT_EQ(memory().in_use(), in_use);
  const std::size_t peak = memory().peak();
  {
    const Array<double> small(memory(), n);
  }
  EXPECT_EQ(memory().peak(), peak);
  EXPECT_GT(memory().available(), 0u);
}

// Too large an array is an error that says how much was needed and free; nothing else changes.
TEST_P(ArrayTest, TellsWhenThereIsNotEnoughMemory)
{
  const Array<double> kept(memory(), std::size_t(1000));
  const std::size_t in_use = memory().in_use(), peak = memory().peak();
  for (const std::size_t bytes : {2 * memory().available(), std::size_t(1) << 60})
    {
      const auto allocate = [&]() { const Array<char> array(memory(), bytes); };
      expect_error<OutOfMemory>(allocate, {"needed", "free"});
      const std::string text = message_of<OutOfMemory>(allocate);
      EXPECT_NE(text.find_first_of("0123456789"), std::string::npos) << text;
    }
  EXPECT_EQ(memory().in_use(), in_use);
  EXPECT_EQ(memory().peak(), peak);
  EXPECT_EQ(kept.to_host(), std::vector<double>(1000, 0.));
}

INSTANTIATE_TEST_SUITE_P(Core, ArrayTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
