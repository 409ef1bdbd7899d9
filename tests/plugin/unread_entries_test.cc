// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Entries that a deck sets and nothing reads.
#include "tests/plugin/in_empty_directory.h"

#include <deal.II/base/parameter_acceptor.h>

#include <sstream>

#include "plugin/deck/parameters/declared_parameters.h"
#include "plugin/deck/parameters/named_choice.h"
#include "plugin/deck/parameters/unread_entries.h"
#include "plugin/deck/run/all_parameters.h"
#include "plugin/deck/run/deck_parameters.h"
#include "source/optimization/design_methods.h"
#include "tests/plugin/deck_section.h"

namespace strut
{
namespace
{
using Sentences = std::vector<std::string>;

class UnreadEntries : public InEmptyDirectory
{
protected:
  void TearDown() override
  {
    dealii::ParameterAcceptor::clear();
    InEmptyDirectory::TearDown();
  }

  static Sentences unread(const std::string &text,
                          const std::vector<Deck::Setting> &settings = {},
                          const ChoicesOfRun &choices                = {})
  {
    dealii::ParameterAcceptor::clear();
    write("a.prm", text);
    const DeckParameters parameters("a.prm", settings);
    return unread_entries(parameters.deck,
                          declared_parameters(dealii::ParameterAcceptor::prm),
                          choices);
  }

  /// A deck with every entry, as --write-deck makes it.
  static std::string whole_deck()
  {
    dealii::ParameterAcceptor::clear();
    const AllParameters declared("wall", "tip");
    dealii::ParameterAcceptor::declare_all_parameters(dealii::ParameterAcceptor::prm);
    std::ostringstream text;
    write_default_deck(dealii::ParameterAcceptor::prm, text);
    return text.str();
  }
};

TEST_F(UnreadEntries, AreSubsectionsThatNothingChooses)
{
  EXPECT_EQ(
    unread(section("Mesh / Michell", "set Layers = 3") +
           section("Optimization",
                   "set Filter = density\n" + section("Overhang", "set Direction = 0, 0, 1") +
                     "subsection Projection\nend") +
           section("Constraints / left",
                   "set Response = mass\nset At most  = 60\n" +
                     section("Volume", "set Expression = x < 8") +
                     section("Mass", "set Density = 2")) +
           section("Optimization", "set Update = mma")),
    (Sentences{
      "a.prm:2: nothing reads 'Mesh / Michell': 'Type' is 'box', and nothing else names 'michell'",
      "a.prm:11: nothing reads 'Optimization / Projection': 'Filter' is 'density', 'Maps' is "
      "empty, and nothing else names 'projection'",
      "a.prm:8: nothing reads 'Optimization / Overhang': 'Maps' is empty, and nothing else names "
      "'overhang'",
      "a.prm:18: nothing reads 'Constraints / left / Volume': 'Response' is 'mass', and nothing "
      "else names 'volume'"}));
}

TEST_F(UnreadEntries, AreReadWhereSomethingChoosesThem)
{
  EXPECT_EQ(unread(section(
              "Optimization",
              "set Maps = density, overhang, projection\nset Maximise = frequency\n"
              "set Update = gcmma\nset Interpolation = modified simp\n"
              "set Minimum stiffness = 1e-6\n" +
                section("Overhang", "set Angle = 50") + section("Projection", "set Sharpness = 2") +
                section("Frequency", "set Modes = 2") + section("Gcmma", "set Increase = 1.3"))),
            Sentences{});
  EXPECT_EQ(unread(
              section("Optimization",
                      "set Filter = projection\n" + section("Projection", "set Sharpness = 2"))),
            Sentences{});
}

TEST_F(UnreadEntries, AreEntriesThatAnotherOneMakesIdle)
{
  EXPECT_EQ(
    unread(section("Optimization",
                   "set Minimum stiffness  = 1e-6\nset Stopping criterion = none\n"
                   "set Stopping tolerance = 1e-3") +
           section("Export", "set Unit = meter")),
    (Sentences{
      "a.prm:2: nothing reads 'Optimization / Minimum stiffness': 'Interpolation' is 'simp'",
      "a.prm:4: nothing reads 'Optimization / Stopping tolerance': 'Stopping criterion' is 'none'",
      "a.prm:7: nothing reads 'Export / Unit': 'Formats' is empty"}));
  const std::string of_multigrid = section("Solver", "set Smoothing steps = 3");
  EXPECT_EQ(unread(of_multigrid, {}, {{"Solver / Preconditioner", "multigrid"}}), Sentences{});
  EXPECT_EQ(unread(of_multigrid, {}, {{"Solver / Preconditioner", "jacobi"}}),
            Sentences{
              "a.prm:2: nothing reads 'Solver / Smoothing steps': 'Preconditioner' is 'jacobi'"});
  EXPECT_EQ(unread("subsection Optimization\n  set Method = beso\nend\n",
                   {{"--set", "Optimization / Move limit = 0.1"}}),
            Sentences{"--set: nothing reads 'Optimization / Move limit': 'Method' is 'beso'"});
}

// Parameters of a list's item are read only if the item is chosen.
TEST_F(UnreadEntries, AreFoundForAllPartsThatDecksChoose)
{
  std::string text;
  std::size_t n       = 0;
  const auto add_each = [&](const auto &list, const std::string &chosen) {
    for (const auto &entry : list)
      if (!entry.parameters.empty() && entry.name != chosen)
        {
          const auto &first = entry.parameters.front();
          text += section("Optimization / " + subsection_of(entry.name),
                          "set " + first.name + " = " + first.default_value);
          ++n;
        }
  };
  add_each(design_maps(), "");
  add_each(design_methods(), "simp");
  add_each(design_updates(), "optimality criteria");
  add_each(responses(), "compliance");
  const Sentences sentences = unread(text);
  EXPECT_EQ(sentences.size(), n);
  EXPECT_GT(n, 15u);
}

TEST_F(UnreadEntries, AreNoWishesInADeckWithEveryEntry)
{
  const std::string text = whole_deck();
  const Deck::Setting region{"--set", "Supports / wall / Boundary ids = 0"};
  EXPECT_EQ(unread(text, {region}), Sentences{});
  EXPECT_EQ(unread(text, {region, {"--set", "Optimization / Overhang / Angle = 50"}}).size(), 1u);
}
} // namespace
} // namespace strut
