// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/move_limits.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
unsigned int cuts(const std::vector<double> &excesses)
{
  std::vector<std::vector<double>> of_designs;
  for (const double excess : excesses)
    of_designs.push_back({-1., excess});
  const auto [n, which] = cuts_against_broken_limits(of_designs);
  EXPECT_EQ(which, n > 0 ? 1u : 0u);
  return n;
}

TEST(BrokenLimitsTest, MovesAreCutWhereALimitGetsWorseTwice)
{
  EXPECT_EQ(cuts({}), 0u);
  EXPECT_EQ(cuts({0.5}), 0u);
  EXPECT_EQ(cuts({0.3, 0.35, 0.38}), 1u);
  EXPECT_EQ(cuts({0.3, 0.35, 0.38, 0.4}), 1u); // two designs show whether that was enough
  EXPECT_EQ(cuts({0.3, 0.35, 0.38, 0.4, 0.42}), 2u);
  EXPECT_EQ(cuts({0.3, 0.35, 0.34, 0.35, 0.34}), 0u);  // alternating values
  EXPECT_EQ(cuts({0.01, 0.05, 0.1, 0.2}), 0u);         // hardly broken
  EXPECT_EQ(cuts({-0.5, -0.4, -0.3, -0.2, -0.1}), 0u); // kept
  EXPECT_EQ(cuts({3., 2., 1., 0.5}), 0u);              // gets better
}

TEST(BrokenLimitsTest, MovesAreCutWhereALimitLeaps)
{
  EXPECT_EQ(cuts({0.5, 2.24}), 1u);
  EXPECT_EQ(cuts({0.5, 2.24, 39.}), 2u);
  EXPECT_EQ(cuts({-0.1, 0.5}), 0u); // a first one too many
  EXPECT_EQ(cuts({0.5, 0.9}), 0u);
}
} // namespace
} // namespace strut::test
