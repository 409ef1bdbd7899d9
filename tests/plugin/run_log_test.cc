// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/run_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <thread>

namespace strut
{
namespace
{
const std::string text = "  mesh: 8 elements\n"
                         "  NOTE: the first\n"
                         "    goes on\n"
                         "  other\n"
                         "    indented, no note\n"
                         "WARNING: the second\n"
                         "NOTE: the third\n"
                         "  NOTES: no note\n";

const std::vector<std::string> notes = {"the first goes on",
                                        "WARNING: the second",
                                        "the third NOTES: no note"};

TEST(RunLog, PrintsAllAndKeepsNotes)
{
  std::ostringstream screen;
  RunLog log(screen, true, false);
  log.say(text);
  log.say_always("the end\n");
  EXPECT_EQ(screen.str(), text + "the end\n");
  EXPECT_EQ(log.notes(), notes);
}

TEST(LongStep, SpeaksIfItLasts)
{
  std::ostringstream screen;
  RunLog log(screen, true, false);
  {
    const LongStep quick(log, "blinking", std::chrono::hours(1));
  }
  EXPECT_EQ(screen.str(), "");
  {
    const LongStep slow(log, "waiting", std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  const std::string begin = "  ... waiting: 0.001 s so far\n";
  EXPECT_EQ(screen.str().substr(0, begin.size()), begin);
}

TEST(RunLog, AQuietOneKeepsToNotes)
{
  std::ostringstream screen;
  RunLog log(screen, true, true);
  log.say(text);
  log.say("\n");
  log.say_always("the end\n");
  EXPECT_EQ(
    screen.str(),
    "  NOTE: the first\n    goes on\nWARNING: the second\nNOTE: the third\n  NOTES: no note\n"
    "the end\n");
  EXPECT_EQ(log.notes(), notes);
}

TEST(RunLog, OtherRanksAreSilent)
{
  std::ostringstream screen;
  RunLog log(screen, false, false);
  log.say(text);
  log.say_always("the end\n");
  EXPECT_EQ(screen.str(), "");
}

TEST(TimeLeft, SaysNothingOfShortRuns)
{
  TimeLeft left(50);
  for (unsigned int i = 1; i <= 50; ++i)
    EXPECT_EQ(left.after(i, 0.19 * i), "");
}

TEST(TimeLeft, IsWhatIsLeftAtThePaceOfTheLastIterations)
{
  TimeLeft left(20);
  EXPECT_EQ(left.after(1, 9.), "");
  // one iteration took 31 s, so 18 take 18 times as long as the mean of the two
  EXPECT_EQ(left.after(2, 40.), "at this pace at most 6 min left");
  EXPECT_EQ(left.after(3, 50.), "") << "it was said a short while ago";
  EXPECT_EQ(left.after(4, 60.), "");
  EXPECT_EQ(left.after(5, 65.), "");
  // the last five took 61 s, so 14 take 171 s
  EXPECT_EQ(left.after(6, 70.), "at this pace at most 3 min left");
}

TEST(TimeLeft, EndsWithTheLimit)
{
  TimeLeft left(3);
  EXPECT_EQ(left.after(1, 100.), "at this pace at most 4 min left");
  EXPECT_EQ(left.after(2, 200.), "at this pace at most 100 s left");
  EXPECT_EQ(left.after(3, 300.), "");
}

// A run that continues from a checkpoint counts from its own first iteration.
TEST(TimeLeft, KnowsWhatIterationItIs)
{
  TimeLeft left(100);
  EXPECT_EQ(left.after(91, 20.), "at this pace at most 3 min left");
}

TEST(TimeLeft, TimesAreRoundedUp)
{
  EXPECT_EQ(rough_time(0.2), "1 s");
  EXPECT_EQ(rough_time(119.5), "120 s");
  EXPECT_EQ(rough_time(121), "3 min");
  EXPECT_EQ(rough_time(7200), "120 min");
  EXPECT_EQ(rough_time(7201), "2 h 1 min");
  EXPECT_EQ(rough_time(3 * 3600 - 30), "3 h 0 min");
  EXPECT_EQ(rough_time(48 * 3600), "48 h 0 min");
  EXPECT_EQ(rough_time(49 * 3600), "3 days");
  EXPECT_EQ(rough_time(1e12), "decades");
}
} // namespace
} // namespace strut
