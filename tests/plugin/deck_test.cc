// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "tests/plugin/deck_fixture.h"

#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <map>

namespace strut
{
namespace
{
TEST_F(DeckTest, GivesTheValuesOfDealIIsOwnParser)
{
  write("deck.prm", good_deck);
  Declared dealii_way;
  dealii_way.parse_input("deck.prm");
  const Entries expected = all_entries(dealii_way);
  EXPECT_EQ(values("deck.prm"), expected);
  const std::map<std::string, std::string> by_name(expected.begin(), expected.end());
  EXPECT_EQ(by_name.at("Title"), "a = b");
  EXPECT_EQ(by_name.at("Optimization/Maximum iterations"), "12");
  EXPECT_EQ(by_name.at("Supports/left 1.5 (clamped)/Symmetry planes"), "x=0, y=20");
}

TEST_F(DeckTest, SetsVariablesOfAddParameter)
{
  write("deck.prm", "subsection Optimization\nset Refinements = 4\nend\n");
  Declared declared;
  Deck::read("deck.prm").apply(declared);
  EXPECT_EQ(declared.refinements, 4u);
}

TEST_F(DeckTest, IgnoresSuperfluousWhiteSpaceInNames)
{
  write("deck.prm", "subsection   Optimization\nset Volume   fraction  =  0.7\nend\n");
  const Entries all = values("deck.prm");
  EXPECT_EQ(std::count(all.begin(),
                       all.end(),
                       std::make_pair(std::string("Optimization/Volume fraction"),
                                      std::string("0.7"))),
            1);
}

TEST_F(DeckTest, KnowsWhereThingsStand)
{
  write("deck.prm", good_deck);
  const Deck deck = Deck::read("deck.prm");
  EXPECT_EQ(deck.where({}, "Title"), "deck.prm:2");
  EXPECT_EQ(deck.where({"Run"}, "Backend"), "deck.prm:5");
  EXPECT_EQ(deck.where({"Optimization"}, "Maximum iterations"), "deck.prm:9");
  EXPECT_EQ(deck.where({"Optimization", "Filter"}, "Radius"), "deck.prm:15");
  EXPECT_EQ(deck.where({"Run"}, ""), "deck.prm:4");
  EXPECT_EQ(deck.where({"Run"}, "Nothing"), "deck.prm");
  EXPECT_EQ(deck.where({"Nothing"}, ""), "deck.prm");
  EXPECT_EQ(deck.entries().size(), 8u);
}

TEST_F(DeckTest, ListsSubsectionsInOrderOfFirstAppearance)
{
  write("deck.prm", good_deck);
  const Deck deck = Deck::read("deck.prm");
  EXPECT_EQ(deck.subsections({}), (std::vector<std::string>{"Run", "Optimization", "Supports"}));
  EXPECT_EQ(deck.subsections({"Supports"}), std::vector<std::string>{"left 1.5 (clamped)"});
  EXPECT_TRUE(deck.subsections({"Loads"}).empty());
}

TEST_F(DeckTest, IncludesFilesBesideItAndFromTheWorkingDirectory)
{
  write("prm/deck.prm",
        "include common/base.prm\n"
        "subsection Optimization\n"
        "  include volume.prm\n"
        "  set Volume fraction = 0.6\n"
        "end\n");
  write("prm/common/base.prm",
        "set Title = base\nsubsection Optimization\n set Maximum iterations = 5\nend\n");
  write("volume.prm", "\nset Volume fraction = 0.5\nset Maximum iterations = 6\n");

  const Deck deck = Deck::read("prm/deck.prm");
  EXPECT_EQ(deck.where({}, "Title"), "prm/common/base.prm:1");
  EXPECT_EQ(deck.where({"Optimization"}, ""), "prm/common/base.prm:2");
  EXPECT_EQ(deck.where({"Optimization"}, "Volume fraction"), "prm/deck.prm:4");
  EXPECT_EQ(deck.where({"Optimization"}, "Maximum iterations"), "volume.prm:3");

  // The last one wins.
  Declared declared;
  deck.apply(declared);
  EXPECT_EQ(declared.get({"Optimization"}, "Volume fraction"), "0.6");
  EXPECT_EQ(declared.get({"Optimization"}, "Maximum iterations"), "6");

  write("volume.prm", "\nset Volum fraction = 0.5\n");
  EXPECT_EQ(message_of_file("prm/deck.prm").substr(0, 45),
            "volume.prm:2: unknown entry 'Volum fraction' ");
}

TEST_F(DeckTest, AllowsAFileToBeIncludedTwice)
{
  write("half.prm", "set Volume fraction = 0.5\n");
  EXPECT_EQ(message("subsection Optimization\ninclude half.prm\ninclude half.prm\nend\n"), "");
}

TEST_F(DeckTest, NamesUnknownEntries)
{
  EXPECT_EQ(message("subsection Optimization\n  set Volum fraction = 0.5\nend\n"),
            "deck.prm:2: unknown entry 'Volum fraction' in subsection 'Optimization'.\n"
            "  Did you mean 'Volume fraction'? Allowed here: Volume fraction, Maximum iterations, "
            "Refinements.");
  EXPECT_EQ(message("subsection Optimization\n  set Backend = cpu\nend\n"),
            "deck.prm:2: unknown entry 'Backend' in subsection 'Optimization'.\n"
            "  'Backend' exists in subsection 'Run'. Allowed here: Volume fraction, Maximum "
            "iterations, Refinements.");
  EXPECT_EQ(message("set Radios = 3\n"),
            "deck.prm:1: unknown entry 'Radios' at the top level.\n"
            "  Did you mean 'Radius' in subsection 'Optimization / Filter'? Allowed here: Title.");
  EXPECT_EQ(message("subsection Optimization\n  set filter = 3\nend\n"),
            "deck.prm:2: unknown entry 'filter' in subsection 'Optimization'.\n"
            "  Allowed here: Volume fraction, Maximum iterations, Refinements.");
  EXPECT_EQ(
    message("subsection Optimization\n  set Filter = 3\nend\n"),
    "deck.prm:2: unknown entry 'Filter' in subsection 'Optimization'.\n"
    "  'Filter' is a subsection: write 'subsection Filter', its entries, and 'end'. Allowed "
    "here: Volume fraction, Maximum iterations, Refinements.");
  EXPECT_EQ(message("subsection Supports\n  set Point = 1, 2, 3\nend\n"),
            "deck.prm:2: unknown entry 'Point' in subsection 'Supports'.\n"
            "  'Point' exists in subsection 'Supports / left 1.5 (clamped)'. There are no entries "
            "here, but subsections: left 1.5 (clamped).");
}

TEST_F(DeckTest, NamesUnknownSubsections)
{
  EXPECT_EQ(message("\nsubsection Optimisation\n  set Volume fraction = 0.5\nend\n"),
            "deck.prm:2: unknown subsection 'Optimisation' at the top level.\n"
            "  Did you mean 'Optimization'? Allowed here: Optimization, Run, Supports.");
  EXPECT_EQ(message("subsection filter\nend\n"),
            "deck.prm:1: unknown subsection 'filter' at the top level.\n"
            "  'Filter' exists in subsection 'Optimization'. Allowed here: Run, Optimization, "
            "Supports.");
  EXPECT_EQ(message("subsection Run\n  subsection Backend\n  end\nend\n"),
            "deck.prm:2: unknown subsection 'Backend' in subsection 'Run'.\n"
            "  'Backend' is an entry: write 'set Backend = VALUE'. There are no subsections here, "
            "but entries: Backend, Deterministic, Directory.");
}

TEST_F(DeckTest, SaysWhichValuesAreAllowed)
{
  const auto wrong = [](const std::string &section, const std::string &setting) {
    return message("subsection " + section + "\n  set " + setting + "\nend\n");
  };
  EXPECT_EQ(wrong("Run", "Backend = gpu"),
            "deck.prm:2: Run / Backend = gpu\n"
            "  Allowed: one of: cpu, cuda, auto (did you mean 'cpu'?).");
  EXPECT_EQ(wrong("Run", "Deterministic = yes"),
            "deck.prm:2: Run / Deterministic = yes\n  Allowed: true or false.");
  EXPECT_EQ(wrong("Run", "Deterministic = True"),
            "deck.prm:2: Run / Deterministic = True\n"
            "  Allowed: true or false (did you mean 'true'?).");
  EXPECT_EQ(wrong("Optimization", "Volume fraction = 1.7"),
            "deck.prm:2: Optimization / Volume fraction = 1.7\n"
            "  Allowed: a number between 0 and 1.");
  EXPECT_EQ(wrong("Optimization", "Volume fraction = 0,3"),
            "deck.prm:2: Optimization / Volume fraction = 0,3\n"
            "  Allowed: a number between 0 and 1 (with a decimal point, not a comma).");
  EXPECT_EQ(wrong("Optimization", "Volume fraction ="),
            "deck.prm:2: Optimization / Volume fraction = \n"
            "  No value is given. Allowed: a number between 0 and 1.");
  EXPECT_EQ(wrong("Optimization", "Maximum iterations = 0"),
            "deck.prm:2: Optimization / Maximum iterations = 0\n"
            "  Allowed: an integer between 1 and 2147483647.");
  // deal.II itself would make 4294967293 of it.
  EXPECT_EQ(wrong("Optimization", "Refinements = -3"),
            "deck.prm:2: Optimization / Refinements = -3\n  Allowed: an integer of at least 0.");
  EXPECT_EQ(message(
              "subsection Supports\nsubsection left 1.5 (clamped)\nset Point = 1, 2\nend\nend"),
            "deck.prm:3: Supports / left 1.5 (clamped) / Point = 1, 2\n"
            "  Allowed: 3 values separated by ',', each a number.");
}

TEST_F(DeckTest, NoticesSubsectionsAndEndsThatDoNotMatch)
{
  EXPECT_EQ(message("end\n"), "deck.prm:1: 'end' without a subsection to close.");
  EXPECT_EQ(message("subsection Run\nend\n\nend\n"),
            "deck.prm:4: 'end' without a subsection to close.\n"
            "  The last subsection, 'Run' of line 1, was closed in line 2.");
  EXPECT_EQ(message("subsection Run\n  set Backend = cpu\n\n"),
            "deck.prm:1: subsection 'Run' is never closed: its 'end' is missing before the file "
            "ends in line 3.");
  EXPECT_EQ(message("subsection Optimization\n"
                    "  subsection Filter\n"
                    "    set Radius = 1\n"
                    "end\n"
                    "subsection Run\n"
                    "end\n"),
            "deck.prm:1: subsection 'Optimization' is never closed: its 'end' is missing before "
            "the file ends in line 6.\n"
            "  The 'end' in line 4 closes subsection 'Filter' of line 2, but is not indented like "
            "it: look there first.");
  EXPECT_EQ(message("subsection Optimization\nsubsection Filter\n"),
            "deck.prm:2: subsection 'Filter' is never closed: its 'end' is missing before the file "
            "ends in line 2.\n"
            "  Open as well: subsection 'Optimization' of line 1.");
  EXPECT_EQ(message("subsection Run\nend Run\n"),
            "deck.prm:2: 'end' must be alone on its line; found 'end Run'.");

  write("half.prm", "set Backend = cpu\nend\n");
  EXPECT_EQ(message("subsection Run\ninclude half.prm\n"),
            "half.prm:2: 'end' without a subsection to close.\n"
            "  An included file closes only the subsections that it opens itself.");
}

TEST_F(DeckTest, RefusesLinesThatAreNotInTheFormat)
{
  const std::string forms =
    "\n  A line is 'subsection NAME', 'set ENTRY = VALUE', 'end', 'include FILE', or a comment "
    "after '#'.";
  EXPECT_EQ(message("\nsett Title = x\n"),
            "deck.prm:2: cannot read 'sett Title = x'. Did you mean 'set'?" + forms);
  EXPECT_EQ(message("Subsection Run\n"),
            "deck.prm:1: cannot read 'Subsection Run'. Did you mean 'subsection'?" + forms);
  EXPECT_EQ(message("Title = x\n"),
            "deck.prm:1: cannot read 'Title = x'. Did you mean 'set Title = x'?" + forms);
  EXPECT_EQ(message("$MeshFormat\n"), "deck.prm:1: cannot read '$MeshFormat'." + forms);
  EXPECT_EQ(message(std::string("\x01\x02") + std::string(200, 'q')),
            "deck.prm:1: cannot read '??" + std::string(98, 'q') + "...'." + forms);
  EXPECT_EQ(message("set Title x\n"),
            "deck.prm:1: 'set Title x' has no '='.\n  Write 'set ENTRY = VALUE'.");
  EXPECT_EQ(message("set = x\n"), "deck.prm:1: no name before '='.\n  Write 'set ENTRY = VALUE'.");
  EXPECT_EQ(message("subsection\n"), "deck.prm:1: 'subsection' needs a name: 'subsection NAME'.");
  EXPECT_EQ(message("include # what\n"),
            "deck.prm:1: 'include' needs the name of a file: 'include FILE'.");
}

// Bytes that are no text: a message about their first line would help nobody.
TEST_F(DeckTest, RefusesBinaryFiles)
{
  const std::string binary =
    "this file is binary; a deck is plain text.\n  Name the deck, *.prm. Is it a mesh? A deck "
    "names it: 'set File name' in Mesh / File.";
  EXPECT_EQ(message(std::string("\x7F"
                                "ELF\0\0 = 2\n",
                                11)),
            "deck.prm: " + binary);
  std::string compressed;
  for (unsigned int i = 1; i < 1000; ++i)
    compressed += static_cast<char>(1 + (i * 7919) % 255);
  EXPECT_EQ(message(compressed), "deck.prm: " + binary);
  write("mesh.bin", std::string(4, '\0'));
  EXPECT_EQ(message("include mesh.bin\n"), "mesh.bin: " + binary);
  EXPECT_EQ(message(std::string("\xFF\xFEs\0e\0t\0", 8)),
            "deck.prm: this file is text in UTF-16; a deck is text in UTF-8.\n  Save it again with "
            "the encoding UTF-8.");
  // letters of other languages are text
  EXPECT_EQ(message("# Tr\xC3\xA4ger\nset Title = \xE6\xA2\x81\n"), "");
}

TEST_F(DeckTest, NamesSymbolicLinksThatLeadNowhere)
{
  namespace fs             = std::filesystem;
  const std::string advice = ".\n  Name the parameter file itself, or make the link again.";
  write("self1.prm", "");
  fs::create_symlink("self2.prm", "self2.prm");
  EXPECT_EQ(message_of_file("self2.prm"),
            "self2.prm: this is a symbolic link that leads back to itself" + advice);
  fs::create_symlink("gone.prm", "link.prm");
  EXPECT_EQ(message_of_file("link.prm"),
            "link.prm: this is a symbolic link to 'gone.prm', which does not exist" + advice);
  EXPECT_EQ(message("include link.prm\n"),
            "deck.prm:1: 'include link.prm' names a symbolic link to 'gone.prm', which does not "
            "exist.\n  Name the file itself, or make the link again.");
}

TEST_F(DeckTest, RefusesAnEntryThatOneFileSetsTwice)
{
  EXPECT_EQ(message("subsection Run\nset Backend = cpu\nend\n"
                    "subsection Run\nset  Backend = cuda\nend\n"),
            "deck.prm:5: 'Backend' is set a second time in subsection 'Run'.\n"
            "  Line 2 sets it to 'cpu', line 5 to 'cuda': keep one of them.");
}

TEST_F(DeckTest, SaysWhichFilesAreMissing)
{
  const std::string here = directory_.string();
  write("prm/cantilever.prm", "");
  write("prm/bridge.prm", "");
  std::filesystem::create_directory("empty");
  EXPECT_EQ(message_of_file("prm/cantilver.prm"),
            "prm/cantilver.prm: there is no such file in the working directory " + here +
              ".\n  Did you mean 'prm/cantilever.prm'?");
  EXPECT_EQ(message_of_file("prm/x.prm"),
            "prm/x.prm: there is no such file in the working directory " + here +
              ".\n  Parameter files there: bridge.prm, cantilever.prm.");
  EXPECT_EQ(message_of_file("no/x.prm"),
            "no/x.prm: there is no such file in the working directory " + here +
              ".\n  There is no directory 'no' either.");
  EXPECT_EQ(message_of_file("prm"),
            "prm: this is a directory; a parameter file is needed.\n"
            "  Parameter files in it: bridge.prm, cantilever.prm.");
  EXPECT_EQ(message_of_file("empty"),
            "empty: this is a directory; a parameter file is needed.\n"
            "  There are no parameter files (*.prm) in it.");

  write("prm/a.prm", "\ninclude brigde.prm\n");
  EXPECT_EQ(message_of_file("prm/a.prm"),
            "prm/a.prm:2: there is no file to include as 'brigde.prm'.\n"
            "  Tried: 'prm/brigde.prm', 'brigde.prm' (working directory " +
              here + "). Did you mean 'bridge.prm'?");
  write("prm/a.prm", "include \"bridge.prm\"\n");
  EXPECT_EQ(message_of_file("prm/a.prm"),
            "prm/a.prm:1: there is no file to include as '\"bridge.prm\"'.\n"
            "  Tried: 'prm/\"bridge.prm\"', '\"bridge.prm\"' (working directory " +
              here + "). Write the name without quotes.");
  EXPECT_EQ(message("include empty\n"),
            "deck.prm:1: 'include empty' names a directory; a parameter file is needed.");
}

TEST_F(DeckTest, IgnoresAByteOrderMark)
{
  EXPECT_EQ(message("\xEF\xBB\xBF# from some editor\nset Title = a\n"), "");
  EXPECT_EQ(message("\xEF\xBB\xBFset Title = a\n"), "");
}

TEST_F(DeckTest, ReadsPlainFilesOnly)
{
  EXPECT_EQ(message("set Title = a\n\ninclude /dev/zero\n"),
            "deck.prm:3: 'include /dev/zero' names a device; a parameter file is needed.");
  EXPECT_EQ(message_of_file("/dev/zero"),
            "/dev/zero: this is a device; a parameter file is needed.");
  ASSERT_EQ(mkfifo("pipe", 0600), 0); // opening it would wait for a writer
  EXPECT_EQ(message("include pipe\n"),
            "deck.prm:1: 'include pipe' names a pipe; a parameter file is needed.");
  EXPECT_EQ(message_of_file("pipe"), "pipe: this is a pipe; a parameter file is needed.");
  const std::string name = message("include " + std::string(1000000, 'a') + "\n");
  EXPECT_EQ(name,
            "deck.prm:1: 'include " + std::string(100, 'a') +
              "...' has a name of 1000000 characters.\n"
              "  At most 4096 are possible.");
  write("mesh.prm", std::string(4000001, ' '));
  EXPECT_EQ(message("include mesh.prm\n"),
            "mesh.prm: this file has more than 4000000 bytes, more than a deck can have.\n"
            "  Is it a mesh? A deck names it: 'set File name' in Mesh / File.");
}

TEST_F(DeckTest, EndsWhereFilesIncludeEachOtherThousandsOfTimes)
{
  // each file includes the next one twice: 2^20 files in all
  for (int i = 0; i < 20; ++i)
    {
      const std::string next = "include f" + std::to_string(i + 1) + ".prm\n";
      write("f" + std::to_string(i) + ".prm", next + next);
    }
  write("f20.prm", "");
  const std::string text = message_of_file("f0.prm");
  EXPECT_CONTAINS(text, "this deck includes files more than 1000 times");
}

TEST_F(DeckTest, CutsLongPiecesOfADeck)
{
  const std::string junk(100000, 'j'), cut = std::string(96, 'j');
  for (const std::string &deck :
       {"subsection " + junk + "\nend\n",
        "subsection Optimization\n  set " + junk + " = 1\nend\n",
        "subsection Optimization\n  set Maximum iterations = " + junk + "\nend\n",
        "subsection " + junk + "\n",
        "set " + junk + "\n",
        junk + "\n",
        "subsection Optimization\nend " + junk + "\n"})
    {
      const std::string text = message(deck);
      EXPECT_LT(text.size(), 1000u);
      EXPECT_CONTAINS(text, cut);
    }
  std::string nested;
  for (int i = 0; i < 20000; ++i)
    nested += "subsection Supports\n";
  EXPECT_EQ(message(nested).substr(0, 60),
            "deck.prm:21: subsection 'Supports' is inside of 20 others; t");
}

TEST_F(DeckTest, NoticesFilesThatIncludeEachOther)
{
  write("prm/a.prm", "include b.prm\n");
  write("prm/b.prm", "\ninclude ../prm/a.prm\n");
  EXPECT_EQ(message_of_file("prm/a.prm"),
            "prm/b.prm:2: 'include ../prm/a.prm' makes files include each other without end:\n"
            "  prm/a.prm -> prm/b.prm -> prm/a.prm.");
}

TEST_F(DeckTest, ExplainsErrorsThatAreFoundLater)
{
  write("deck.prm", "subsection Optimization\n  set Volume fraction = 0\nend\n");
  const Deck deck = Deck::read("deck.prm");
  const Declared declared;
  EXPECT_EQ(deck.explain({{"Optimization"}, "Volume fraction", "It must lie in (0, 1].\nOr so."}),
            "deck.prm:2: Optimization / Volume fraction = 0\n  It must lie in (0, 1].\n  Or so.");
  const EntryError radius({"Optimization", "Filter"}, "Radius", "Too large.");
  EXPECT_EQ(deck.explain(radius, &declared),
            "deck.prm: Optimization / Filter / Radius (default 1.5; the deck does not set it)\n"
            "  Too large.");
  EXPECT_EQ(deck.explain(radius),
            "deck.prm: Optimization / Filter / Radius (the deck does not set it)\n  Too large.");
  EXPECT_EQ(deck.explain({{"Run"}, "Directory", "Is empty."}, &declared),
            "deck.prm: Run / Directory (empty by default; the deck does not set it)\n  Is empty.");
  EXPECT_EQ(deck.explain({{"Optimization"}, "", "No."}), "deck.prm:1: Optimization\n  No.");
  EXPECT_EQ(deck.explain({{"Loads"}, "", "There is no load."}),
            "deck.prm: Loads (the deck does not have this subsection)\n  There is no load.");
  EXPECT_EQ(deck.explain({{}, "", "Nothing works."}), "deck.prm:\n  Nothing works.");
}

TEST_F(DeckTest, ExplainsWhatActionsThrow)
{
  write("deck.prm", "set A = 1\n");
  const auto apply = [](const std::function<void()> &action) {
    dealii::ParameterHandler parameters;
    parameters.declare_entry("A", "0");
    parameters.add_action("A", [&](const std::string &value) {
      if (value == "1")
        action();
    });
    return message_of<Error>([&] { Deck::read("deck.prm").apply(parameters); });
  };
  EXPECT_EQ(apply([] { throw EntryError({}, "A", "ours"); }), "deck.prm:1: A = 1\n  ours");
  EXPECT_EQ(apply([] { throw Error("whole message"); }), "whole message");
  EXPECT_EQ(apply([] { AssertThrow(false, dealii::ExcMessage("theirs")); }),
            "deck.prm:1: A = 1\n  theirs");
  EXPECT_EQ(apply([] { throw std::runtime_error("another"); }), "deck.prm:1: A = 1\n  another");
}

TEST_F(DeckTest, AsksForEntriesThatHaveToBeSet)
{
  dealii::ParameterHandler parameters;
  parameters.enter_subsection("Mesh file");
  parameters.declare_entry("File (1.0)", "", Patterns::Anything(), "", /*has_to_be_set*/ true);
  parameters.leave_subsection();
  write("deck.prm", "");
  EXPECT_EQ(message_of<Error>([&] { Deck::read("deck.prm").apply(parameters); }),
            "deck.prm: the deck must set\n  Mesh file / File (1.0)");
  write("deck.prm", "subsection Mesh file\nset File (1.0) = a.msh\nend\n");
  EXPECT_NO_THROW(Deck::read("deck.prm").apply(parameters));
}
} // namespace
} // namespace strut
