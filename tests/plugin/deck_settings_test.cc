// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "tests/plugin/deck_fixture.h"

#include "plugin/programs/options.h"

namespace strut
{
namespace
{
/// Tests settings of the command line on a deck with everything that the format allows.
class DeckSettings : public DeckTest
{
protected:
  /// The value of "A/B/name" after these settings.
  static std::string value(const std::vector<std::string> &texts, const std::string &name)
  {
    write("deck.prm", good_deck);
    Declared declared;
    Deck::read("deck.prm", settings(texts)).apply(declared);
    for (const auto &[entry, value] : all_entries(declared))
      if (entry == name)
        return value;
    return "no such entry";
  }

  static std::string message(const std::vector<std::string> &texts)
  {
    return message_of<Error>([&] { value(texts, ""); });
  }

  static std::vector<Deck::Setting> settings(const std::vector<std::string> &texts)
  {
    std::vector<Deck::Setting> list;
    for (const std::string &text : texts)
      list.push_back({"--set", text});
    return list;
  }
};

TEST_F(DeckSettings, AreAsTheLastLinesOfTheDeck)
{
  EXPECT_EQ(value({}, "Optimization/Volume fraction"), "0.45");
  EXPECT_EQ(value({"Optimization / Volume fraction = 0.5"}, "Optimization/Volume fraction"), "0.5");
  EXPECT_EQ(value({"Title = a / b = c"}, "Title"), "a / b = c");
  EXPECT_EQ(value({"Title ="}, "Title"), "");
  EXPECT_EQ(value({"Run/Backend=cuda", "Optimization/Filter/Radius=3"},
                  "Optimization/Filter/Radius"),
            "3");
  EXPECT_EQ(value({"Supports / left 1.5 (clamped) / Point = 1, 2, 3"},
                  "Supports/left 1.5 (clamped)/Point"),
            "1, 2, 3");
  EXPECT_EQ(value({"  Optimization /  Volume   fraction= 0.5 "}, "Optimization/Volume fraction"),
            "0.5");
}

TEST_F(DeckSettings, ASlashInANameNeedsBlanksAroundTheOthers)
{
  Declared declared;
  declared.enter_subsection("Loads");
  declared.enter_subsection("left/right");
  declared.declare_entry("Value", "0");
  declared.leave_subsection();
  declared.leave_subsection();
  write("deck.prm", "");
  Deck::read("deck.prm", settings({"Loads / left/right / Value = 1"})).apply(declared);
  declared.enter_subsection("Loads");
  declared.enter_subsection("left/right");
  EXPECT_EQ(declared.get("Value"), "1");
}

TEST_F(DeckSettings, MessagesNameTheOption)
{
  EXPECT_EQ(message({"Optimization / Volume fration = 1"}),
            "--set: unknown entry 'Volume fration' in subsection 'Optimization'.\n  Did you mean "
            "'Volume fraction'? Allowed here: Volume fraction, Maximum iterations, Refinements.");
  EXPECT_EQ(message({"Optimisation / Volume fraction = 1"}),
            "--set: unknown subsection 'Optimisation' at the top level.\n  Did you mean "
            "'Optimization'? Allowed here: Optimization, Run, Supports.");
  EXPECT_EQ(message({"Optimization / Filtr / Radius = 1"}),
            "--set: unknown subsection 'Filtr' in subsection 'Optimization'.\n  Did you mean "
            "'Filter'? Allowed here: Filter.");
  EXPECT_EQ(
    message({"Optimization / Filter = 1"}),
    "--set: unknown entry 'Filter' in subsection 'Optimization'.\n  'Filter' is a "
    "subsection: name an entry of it. Allowed here: Volume fraction, Maximum iterations, Refinements.");
  EXPECT_EQ(
    message({"Optimization / Maximum iterations = many"}),
    "--set: Optimization / Maximum iterations = many\n  Allowed: an integer between 1 and 2147483647.");
  EXPECT_EQ(message({"Optimization / Refinements = -1"}).substr(0, 38),
            "--set: Optimization / Refinements = -1");
}

TEST_F(DeckSettings, RefusesWhatNoDeckCouldSay)
{
  const std::string advice = "\n  Write --set \"SECTION / ENTRY = VALUE\".";
  EXPECT_EQ(message({"Title"}), "--set: 'Title' has no '='." + advice);
  EXPECT_EQ(message({""}), "--set: '' has no '='." + advice);
  EXPECT_EQ(message({" = 1"}), "--set: a name is missing before '=' in ' = 1'." + advice);
  EXPECT_EQ(message({"Run / = 1"}), "--set: a name is missing before '=' in 'Run / = 1'." + advice);
  for (const std::string value : {"a # b", "a\nset Run = b", "a\\"})
    EXPECT_CONTAINS(message({"Title = " + value}), "A deck cannot hold this value");
  EXPECT_EQ(
    message({"Run/Backend = cpu", "Run / Backend = cuda"}),
    "--set: Run / Backend is set a second time.\n  --set sets it to 'cpu', --set to 'cuda': "
    "keep one of them.");
}

// The error is detected later, when the value is used.
TEST_F(DeckSettings, AreThePlaceOfLaterErrors)
{
  write("deck.prm", good_deck);
  const Deck deck = Deck::read("deck.prm", settings({"Optimization / Filter / Radius = 9"}));
  EXPECT_EQ(deck.where({"Optimization", "Filter"}, "Radius"), "--set");
  EXPECT_EQ(deck.explain(EntryError({"Optimization", "Filter"}, "Radius", "Too large.")),
            "--set: Optimization / Filter / Radius = 9\n  Too large.");
  EXPECT_EQ(deck.where({"Optimization"}, "Volume fraction"), "deck.prm:8");
}

TEST_F(DeckSettings, CanBeTypedAgain)
{
  EXPECT_EQ(as_command_line({}), "");
  EXPECT_EQ(as_command_line({{"--set", "A / B = it's"},
                             {"--threads", "Threads = 2"},
                             {"--output", "Output / Output directory = my out"}}),
            " --set 'A / B = it'\\''s' --threads 2 --output 'my out'");
}
} // namespace
} // namespace strut
