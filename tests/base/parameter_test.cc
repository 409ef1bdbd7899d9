// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/errors.h"

#include <strut/base/parameter.h>

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
struct Settings
{
  enum class Kill
  {
    soft,
    hard
  };
  double rate                   = 0.02;
  unsigned int passes           = 3;
  Kill kill                     = Kill::soft;
  bool counts                   = true;
  std::string region            = "";
  std::vector<double> direction = {0., 0., 1.};

  void declare(ParameterList &list)
  {
    list.add("Rate", rate, {1e-4, 0.5}, "Of change.");
    list.add("Passes", passes, {1, 9}, "How many.");
    list.add<Kill>("Kill", kill, {{"soft", Kill::soft}, {"hard", Kill::hard}}, "How.");
    list.add<bool>("Counts", counts, {{"no", false}, {"yes", true}}, "Whether.");
    list.add("Region", region, "Where.");
    list.add("Direction", direction, {-1., 1.}, "Where to.");
  }
};

const std::vector<Parameter> &parameters()
{
  static const std::vector<Parameter> list = parameters_of<Settings>();
  return list;
}

std::string complaint(const ParameterValues &values)
{
  return message_of([&]() { check_values(values, parameters(), "The part 'a'"); });
}

TEST(Parameters, HaveTheDefaultsOfTheSettings)
{
  ASSERT_EQ(parameters().size(), 6u);
  const std::vector<std::string> expected = {"0.02", "3", "soft", "yes", "", "0, 0, 1"};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(parameters()[i].default_value, expected[i]);
  const Settings settings = settings_from<Settings>({});
  EXPECT_EQ(settings.rate, 0.02);
  EXPECT_EQ(settings.kill, Settings::Kill::soft);
}

TEST(Parameters, SetTheirMembers)
{
  const double third      = 1. / 3.; // all of its digits
  const Settings settings = settings_from<Settings>({{"Rate", third},
                                                     {"Passes", 9},
                                                     {"Kill", "hard"},
                                                     {"Counts", "no"},
                                                     {"Region", "x > 3, of the bolt"},
                                                     {"Direction", "-1, +0.5 , 1e-3"}});
  EXPECT_EQ(settings.rate, third);
  EXPECT_EQ(settings.passes, 9u);
  EXPECT_EQ(settings.kill, Settings::Kill::hard);
  EXPECT_FALSE(settings.counts);
  EXPECT_EQ(settings.region, "x > 3, of the bolt");
  EXPECT_EQ(settings.direction, (std::vector<double>{-1., 0.5, 1e-3}));
  EXPECT_EQ(settings_from<Settings>({{"Rate", "+2.5e-1"}, {"Passes", 4.}}).rate, 0.25);
}

TEST(Parameters, RefuseWhatIsNotAllowed)
{
  EXPECT_EQ(complaint({{"Rate", 0.5}, {"Direction", ""}}), "");
  EXPECT_EQ(complaint({{"Rates", 0.5}}),
            "The part 'a': there is no parameter 'Rates'. There are: Rate, Passes, Kill, Counts, "
            "Region, Direction.");
  EXPECT_EQ(complaint({{"Rate", 0.6}}),
            "The part 'a': 'Rate' is '0.6'. It may be a number from 1e-04 to 0.5.");
  EXPECT_EQ(complaint({{"Passes", 2.5}}),
            "The part 'a': 'Passes' is '2.5'. It may be a whole number from 1 to 9.");
  EXPECT_EQ(complaint({{"Kill", "0"}}),
            "The part 'a': 'Kill' is '0'. It may be one of: soft, hard.");
  EXPECT_EQ(complaint({{"Direction", "0, 2"}}),
            "The part 'a': 'Direction' is '0, 2'. It may be numbers from -1 to 1, with commas "
            "between them.");
  for (const char *const text : {"", "0.1 m", "nan", "0,1", "1e", "0x0.1"})
    EXPECT_NE(complaint({{"Rate", text}}), "") << text;
}
} // namespace
} // namespace strut::test
