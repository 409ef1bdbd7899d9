// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/checkpoint.h"

#include <strut/base/exceptions.h>

#include <utility>

#include "distributed_problem.h"

namespace strut
{
namespace
{
using Entries = std::vector<std::pair<std::string, std::string>>;

TEST(OutputParameters, TheSameInAnyOrderAreAccepted)
{
  const Entries then = {{"A/B", "1"}, {"C", "2"}};
  const Entries now  = {{"C", "2"}, {"A/B", "1"}};
  EXPECT_EQ(compare_parameters("file", then, now, {}), std::vector<std::string>());
}

TEST(OutputParameters, EveryChangedEntryIsNamedWithBothValues)
{
  const Entries then = {{"Filter/Radius", "1.5"}, {"Loads/tip/Value", "1"}, {"Same", "x"}};
  const Entries now  = {{"Filter/Radius", "2.5"}, {"Same", "x"}, {"Loads/top/Value", "3"}};
  const std::string message =
    message_of<Error>([&] { compare_parameters("run.checkpoint", then, now, {"Output/"}); });
  EXPECT_CONTAINS(message, "\"run.checkpoint\"");
  EXPECT_CONTAINS(message, "Filter/Radius: was \"1.5\", is now \"2.5\"");
  EXPECT_CONTAINS(message, "Loads/tip/Value: was \"1\", is gone");
  EXPECT_CONTAINS(message, "Loads/top/Value: was not there, is now \"3\"");
  EXPECT_CONTAINS(message, "These may change: Output/.");
  EXPECT_LACKS(message, "Same");
}

TEST(OutputParameters, WhatMayChangeMay)
{
  const Entries then = {{"Output/Folder", "a"}, {"Output/VTU/Level", "1"}, {"Stop/Limit", "9"}};
  const Entries now  = {{"Output/Folder", "b"}, {"Output/New", "1"}, {"Stop/Limit", "10"}};
  EXPECT_EQ(compare_parameters("file", then, now, {"Output/", "Stop/Limit"}),
            (std::vector<std::string>{"Output/Folder: was \"a\", is now \"b\"",
                                      "Output/VTU/Level: was \"1\", is gone",
                                      "Stop/Limit: was \"9\", is now \"10\"",
                                      "Output/New: was not there, is now \"1\""}));
  // A name is no prefix, and a subsection is no prefix of another one's name.
  EXPECT_THROW(compare_parameters("file", then, now, {"Output/", "Stop/Lim"}), Error);
  EXPECT_THROW(compare_parameters("file", then, now, {"Output", "Stop/"}), Error);
  EXPECT_THROW(compare_parameters("file", then, now, {"put/", "Stop/"}), Error);
}
} // namespace
} // namespace strut
