// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/two_cycle.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
std::vector<IterationRecord> history_of(const std::vector<double> &objectives)
{
  std::vector<IterationRecord> history;
  for (const double objective : objectives)
    {
      history.emplace_back();
      history.back().objective = objective;
    }
  return history;
}

TEST(TwoCycleTest, AlternatingObjectivesAreFound)
{
  EXPECT_TRUE(ends_in_two_cycle(history_of({80., 165.8, 47.3, 165.8, 47.3})));
  EXPECT_TRUE(ends_in_two_cycle(history_of({9., 8., 3., 2., 3., 2.1, 3.})));
  EXPECT_TRUE(ends_in_two_cycle(history_of({5.108, 5.092, 5.099, 5.080, 5.090}))); // drifts
  EXPECT_FALSE(ends_in_two_cycle(history_of({165.8, 47.3, 165.8, 47.3})));         // too short
  EXPECT_FALSE(ends_in_two_cycle(history_of({5., 4., 3., 2., 1.})));
  EXPECT_FALSE(ends_in_two_cycle(history_of({1., 1., 1., 1., 1.})));
  EXPECT_FALSE(ends_in_two_cycle(history_of({20., 12., 18., 14., 15.5})));      // dies away
  EXPECT_FALSE(ends_in_two_cycle(history_of({10., 10.001, 10., 10.001, 10.}))); // too small
}

// Three changes are answered once; then four designs show whether that was enough.
TEST(TwoCycleTest, MovesAreHalvedOncePerCycle)
{
  std::vector<double> objectives = {9., 8., 7., 6.};
  const auto add                 = [&](const int n) {
    for (int i = 0; i < n; ++i)
      objectives.push_back(objectives.back() == 5. ? 7. : 5.);
  };
  add(3); // 5, 7, 5: changes of -1, 2, -2
  EXPECT_EQ(halvings_against_two_cycles(history_of(objectives)), 1u);
  add(3);
  EXPECT_EQ(halvings_against_two_cycles(history_of(objectives)), 1u);
  add(1);
  EXPECT_EQ(halvings_against_two_cycles(history_of(objectives)), 2u);
  objectives.insert(objectives.end(), {4., 3.9, 3.8, 3.7, 3.6});
  EXPECT_EQ(halvings_against_two_cycles(history_of(objectives)), 2u);
  add(100);
  EXPECT_EQ(halvings_against_two_cycles(history_of(objectives)), 12u);
}

// Eight small changes are answered if this is asked for. Decaying changes, and changes as small as
// rounding, are not.
TEST(TwoCycleTest, SmallOnesAreAnsweredLater)
{
  const auto alternating = [](const int n, const double change, const double decay) {
    std::vector<double> objectives = {2.};
    double size                    = change;
    for (int i = 0; i < n; ++i, size *= -decay)
      objectives.push_back(objectives.back() + size);
    return history_of(objectives);
  };
  EXPECT_EQ(halvings_against_two_cycles(alternating(7, 1e-3, 1.), true), 0u);
  EXPECT_EQ(halvings_against_two_cycles(alternating(8, 1e-3, 1.), true), 1u);
  EXPECT_EQ(halvings_against_two_cycles(alternating(8, 1e-3, 1.)), 0u);
  EXPECT_EQ(halvings_against_two_cycles(alternating(17, 1e-3, 1.), true), 2u);
  EXPECT_EQ(halvings_against_two_cycles(alternating(30, 1e-3, 0.8), true), 0u);
  EXPECT_EQ(halvings_against_two_cycles(alternating(30, 1e-5, 1.), true), 0u);
}
} // namespace
} // namespace strut::test
