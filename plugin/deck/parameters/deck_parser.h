// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/parameters/deck.h"

#include <string>
#include <vector>

namespace strut
{
/// The statements of a deck's files, in order, before they are compared with the declared entries.
struct ParsedDeck
{
  std::vector<Deck::Entry> entries;
  /// All `subsection` lines; the path includes the subsection itself.
  std::vector<Deck::Entry> subsections;
};

/// Reads a parameter file and the files that it includes. Throws Error, which names file and line,
/// for these faults:
/// - a file is missing, or a line is not in the format;
/// - `subsection` and `end` do not match;
/// - one file sets an entry twice;
/// - files include each other.
ParsedDeck parse_deck(const std::string &file_name);
} // namespace strut
