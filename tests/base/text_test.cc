// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/measure.h"
#include "source/base/text.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
TEST(TextTest, ListsOfWords)
{
  EXPECT_EQ(join({}), "");
  EXPECT_EQ(join({"a"}), "a");
  EXPECT_EQ(join({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(join({"", "", ""}, ","), ",,"); // fields of a line may be empty
  std::string list;
  add_to_list(list, "a");
  add_to_list(list, "b");
  EXPECT_EQ(list, "a, b");
}

TEST(TextTest, BytesInTheUnitThatPeopleRead)
{
  EXPECT_EQ(format_bytes(146.2e6), "146.2 MB");
  EXPECT_EQ(format_bytes(999.9e6), "999.9 MB");
  EXPECT_EQ(format_bytes(1.25e12), "1250.0 GB");
}

// The order does not matter; of an even number of values, the median is the upper middle one.
TEST(MeasureTest, MedianAndRange)
{
  const Spread odd = spread_of({3., 1., 2.});
  EXPECT_EQ(odd.smallest, 1.);
  EXPECT_EQ(odd.median, 2.);
  EXPECT_EQ(odd.largest, 3.);
  EXPECT_EQ(spread_of({4., 1., 3., 2.}).median, 3.);
  EXPECT_EQ(spread_of({5.}).median, 5.);
}

TEST(MeasureTest, TheClockDoesNotGoBack)
{
  const WallClock clock;
  const double first = clock.seconds();
  EXPECT_GE(first, 0.);
  EXPECT_GE(clock.seconds(), first);
}
} // namespace
} // namespace strut::test
