// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/pattern_words.h"

#include "plugin/base/spelling.h"

#include <deal.II/base/patterns.h>

#include <gtest/gtest.h>

namespace strut
{
namespace
{
namespace Patterns = dealii::Patterns;

TEST(PatternWords, AreThereForEveryPatternOfDealII)
{
  const auto words = [](const Patterns::PatternBase &pattern) {
    return pattern_in_words(pattern.description());
  };
  EXPECT_EQ(words(Patterns::Integer()), "an integer");
  EXPECT_EQ(words(Patterns::Integer(-2, 5)), "an integer between -2 and 5");
  EXPECT_EQ(words(Patterns::Double()), "a number");
  EXPECT_EQ(words(Patterns::Double(1e-9)), "a number of at least 1e-09");
  EXPECT_EQ(words(Patterns::Double(Patterns::Double::min_double_value, 2)),
            "a number of at most 2");
  EXPECT_EQ(words(Patterns::Double(-1, 0.5)), "a number between -1 and 0.5");
  EXPECT_EQ(words(Patterns::Bool()), "true or false");
  EXPECT_EQ(words(Patterns::Selection("a|b c")), "one of: a, b c");
  EXPECT_EQ(words(Patterns::MultipleSelection("a|b")), "any of: a, b; several separated by ','");
  EXPECT_EQ(words(Patterns::Anything()), "any text");
  EXPECT_EQ(words(Patterns::FileName()), "a file name");
  EXPECT_EQ(words(Patterns::DirectoryName()), "the name of a directory");
  EXPECT_EQ(words(Patterns::List(Patterns::Integer(0, 9))),
            "any number of values separated by ',', each an integer between 0 and 9");
  EXPECT_EQ(words(Patterns::List(Patterns::Double(), 2)),
            "at least 2 values separated by ',', each a number");
  EXPECT_EQ(words(Patterns::List(Patterns::List(Patterns::Double(), 3, 3), 1, 4, ";")),
            "1 to 4 values separated by ';', each 3 values separated by ',', each a number");
  EXPECT_EQ(words(Patterns::Map(Patterns::Integer(), Patterns::Double())),
            "any number of pairs separated by ',', each 'key:value', the key an integer, the value "
            "a number");
  EXPECT_EQ(words(Patterns::Tuple(Patterns::Integer(), Patterns::Bool())),
            "2 values, first an integer, then true or false");
}

TEST(PatternWords, NoticeNegativeValuesOfUnsignedVariables)
{
  const std::string number = Patterns::Tools::Convert<unsigned int>::to_pattern()->description();
  const std::string list =
    Patterns::Tools::Convert<std::vector<unsigned int>>::to_pattern()->description();
  EXPECT_EQ(pattern_in_words(number), "an integer of at least 0");
  EXPECT_TRUE(breaks_unsigned(number, "-1"));
  EXPECT_FALSE(breaks_unsigned(number, "1"));
  EXPECT_TRUE(breaks_unsigned(list, "1, 2, -3"));
  EXPECT_FALSE(breaks_unsigned(list, "1, 2, 3"));
  EXPECT_FALSE(breaks_unsigned(Patterns::Integer().description(), "-1"));
}

TEST(Spelling, DistanceCountsInsertedDeletedReplacedAndSwappedLetters)
{
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("Volum", "volume"), 1u);
  EXPECT_EQ(edit_distance("raduis", "radius"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);
  EXPECT_EQ(edit_distance("SAME", "same"), 0u);
}

TEST(Spelling, NearNamesComeNearestFirst)
{
  EXPECT_EQ(near_names("tolerence", {"Iterations", "Tolerances", "Tolerance"}),
            (std::vector<std::string>{"Tolerance", "Tolerances"}));
  EXPECT_EQ(near_names("radius", {"Kind", "Filter radius"}),
            std::vector<std::string>{"Filter radius"});
  EXPECT_TRUE(near_names("x", {"y", "Maximum"}).empty());
}
} // namespace
} // namespace strut
