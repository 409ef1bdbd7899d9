// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/vectors.h"
#include "source/mesh/cuthill_mckee.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace strut::test
{
namespace
{
using GraphEdges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The largest distance of two neighbours in an order.
std::size_t bandwidth(const std::vector<std::uint32_t> &order, const GraphEdges &edges)
{
  std::vector<std::size_t> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    position[order[i]] = i;
  std::size_t widest = 0;
  for (const auto &[a, b] : edges)
    widest =
      std::max(widest,
               position[a] < position[b] ? position[b] - position[a] : position[a] - position[b]);
  return widest;
}

std::vector<std::uint32_t> shuffled(const std::size_t n)
{
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  Random random(4);
  for (std::size_t i = n; i > 1; --i)
    std::swap(numbers[i - 1], numbers[static_cast<std::size_t>(random(0., double(i)))]);
  return numbers;
}

// A path with any numbering has a bandwidth of one. Nodes without neighbours and separate parts
// occur once.
TEST(CuthillMcKee, PathsAndParts)
{
  const std::vector<std::uint32_t> number = shuffled(100);
  GraphEdges edges{{number[3], number[3]}};
  for (std::size_t i = 0; i + 1 < 90; ++i)
    if (i != 40)
      edges.emplace_back(number[i], number[i + 1]);
  std::vector<std::uint32_t> order = reverse_cuthill_mckee(100, edges);
  EXPECT_EQ(bandwidth(order, edges), 1u);
  std::sort(order.begin(), order.end());
  for (std::uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ(order[i], i);
  EXPECT_TRUE(reverse_cuthill_mckee(0, {}).empty());
}

// A long box of 5 x 4 x 30 nodes, each with its 26 neighbours, in random numbers. The best band is
// one layer, one row and two nodes wide. The shells at the ends are at most three layers wide.
TEST(CuthillMcKee, LongBox)
{
  const int size[3]                       = {5, 4, 30};
  const std::vector<std::uint32_t> number = shuffled(600);
  GraphEdges edges;
  for (int a = 0; a < 600; ++a)
    for (int b = 0; b < a; ++b)
      {
        const int x = a % size[0] - b % size[0], y = a / size[0] % size[1] - b / size[0] % size[1],
                  z = a / 20 - b / 20;
        if (std::abs(x) <= 1 && std::abs(y) <= 1 && std::abs(z) <= 1)
          edges.emplace_back(number[a], number[b]);
      }
  EXPECT_LE(bandwidth(reverse_cuthill_mckee(600, edges), edges), 60u);
}
} // namespace
} // namespace strut::test
