// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "tests/plugin/in_empty_directory.h"

#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/parameters/declared_parameters.h"

#include <deal.II/base/parameter_handler.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace strut
{
namespace Patterns = dealii::Patterns;

/// The entries that the decks of these tests may contain.
struct Declared : dealii::ParameterHandler
{
  Declared()
  {
    declare_entry("Title", "no title", Patterns::Anything(), "Shown in the log");
    enter_subsection("Run");
    declare_entry("Backend", "auto", Patterns::Selection("cpu|cuda|auto"), "Where to compute");
    declare_entry("Deterministic", "false", Patterns::Bool());
    declare_entry("Directory", "", Patterns::DirectoryName());
    leave_subsection();
    enter_subsection("Optimization");
    declare_entry("Volume fraction", "0.3", Patterns::Double(0, 1), "Of the design domain.");
    declare_entry("Maximum iterations", "150", Patterns::Integer(1));
    add_parameter("Refinements", refinements);
    enter_subsection("Filter");
    declare_entry("Radius", "1.5", Patterns::Double(0));
    leave_subsection();
    leave_subsection();
    enter_subsection("Supports");
    enter_subsection("left 1.5 (clamped)");
    declare_entry("Point", "0, 0, 0", Patterns::List(Patterns::Double(), 3, 3));
    declare_entry("Symmetry planes", "", Patterns::Anything(), "A \\ in a long documentation \\");
    leave_subsection();
    leave_subsection();
  }

  unsigned int refinements = 0;
};

class DeckTest : public InEmptyDirectory
{
protected:
  using Entries = std::vector<std::pair<std::string, std::string>>;

  static Entries values(const std::string &file)
  {
    Declared declared;
    Deck::read(file).apply(declared);
    return all_entries(declared);
  }

  /// The error message for a file; empty if there is none.
  static std::string message_of_file(const std::string &file)
  {
    return message_of<Error>([&] { values(file); });
  }

  /// The error message for a deck.prm with this text.
  static std::string message(const std::string &text)
  {
    write("deck.prm", text);
    return message_of_file("deck.prm");
  }
};

/// A deck with everything that the format allows, and entries of Declared only.
inline const std::string good_deck = "# A comment\n"
                                     "set Title = a = b  # and why\n"
                                     "\n"
                                     "SUBSECTION Run\n"
                                     "\tSET\tBackend\t=\tcpu\n"
                                     "END\n"
                                     "subsection Optimization # of topology\n"
                                     "  set Volume fraction=0.45\n"
                                     "  set Maximum \\\n"
                                     "      iterations = \\   \n"
                                     "      12\n"
                                     "  # a comment \\\n"
                                     "  that goes on\n"
                                     "  subsection Filter\n"
                                     "    set Radius = 2.5\r\n"
                                     "  end\n"
                                     "end\n"
                                     "subsection Supports\n"
                                     "  subsection left 1.5 (clamped)\n"
                                     "    set Symmetry planes = x=0,\ty=20\n"
                                     "  end\n"
                                     "end\n"
                                     "subsection Run\n"
                                     "  set Deterministic = true\n"
                                     "  set Directory =\n"
                                     "end \\";
} // namespace strut
