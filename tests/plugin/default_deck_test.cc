// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "tests/plugin/deck_fixture.h"

#include <sstream>

namespace strut
{
namespace
{
using DefaultDeckTest = DeckTest;

TEST_F(DefaultDeckTest, IsReadBackAlsoByDealII)
{
  write("deck.prm", good_deck);
  Declared declared;
  Deck::read("deck.prm").apply(declared);
  std::ostringstream text;
  write_default_deck(declared, text);
  write("copy.prm", text.str());
  EXPECT_EQ(values("copy.prm"), all_entries(declared));

  Declared dealii_way;
  dealii_way.parse_input("copy.prm");
  EXPECT_EQ(all_entries(dealii_way), all_entries(declared));
}

TEST_F(DefaultDeckTest, SaysWhatIsAllowed)
{
  dealii::ParameterHandler parameters;
  parameters.declare_entry("Name", "", Patterns::Anything());
  parameters.enter_subsection("Run");
  parameters.declare_entry("Backend", "auto", Patterns::Selection("cpu|auto"), "Where to compute");
  parameters.declare_entry("Steps", "3", Patterns::Integer(1, 9), "How many?");
  parameters.set("Steps", "4");
  parameters.leave_subsection();
  std::ostringstream text;
  write_default_deck(parameters, text);
  EXPECT_EQ(text.str(),
            "set Name =\n"
            "\n"
            "subsection Run\n"
            "  # Where to compute. Allowed: one of: cpu, auto.\n"
            "  set Backend = auto\n"
            "\n"
            "  # How many? Allowed: an integer between 1 and 9. Default: 3\n"
            "  set Steps   = 4\n"
            "end\n");
}

TEST_F(DefaultDeckTest, AllEntriesAreInOrderOfDeclaration)
{
  const Entries all = all_entries(Declared());
  ASSERT_EQ(all.size(), 10u);
  EXPECT_EQ(all[0], std::make_pair(std::string("Title"), std::string("no title")));
  EXPECT_EQ(all[1].first, "Run/Backend");
  EXPECT_EQ(all[7].first, "Optimization/Filter/Radius");
  EXPECT_EQ(all[8].first, "Supports/left 1.5 (clamped)/Point");
}
} // namespace
} // namespace strut
