// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/parameters/deck.h"

#include <string>
#include <vector>

namespace strut::plugin
{
/// The statements of a deck's files, in order, before they are compared with the declared entries.
struct ParsedDeck
{
  std::vector<Deck::Entry> entries;
  /// Each `subsection` line, the path including the subsection itself.
  std::vector<Deck::Entry> subsections;
};

/// Read a parameter file and the files that it includes. Throws Error, which names file and line, for a file
/// that is not there, a line that is not in the format, `subsection` and `end` that do not match,
/// an entry that one file sets twice, and files that include each other.
ParsedDeck parse_deck(const std::string &file_name);
} // namespace strut::plugin
