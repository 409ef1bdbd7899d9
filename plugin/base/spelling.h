// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/text.h" // join() is for messages, too

#include <string>
#include <vector>

namespace strut
{
/// Number of letters to insert, delete, replace or swap with a neighbour to get from one word to
/// the other, ignoring case. This is the Damerau-Levenshtein distance in which each letter is
/// edited once.
unsigned int edit_distance(const std::string &a, const std::string &b);

/// Candidates that the writer of `word` may have meant, nearest first, ties in the given order.
/// Either few slips separate them, relative to the length of the word, or one is a part of the
/// other.
std::vector<std::string> near_names(const std::string &word,
                                    const std::vector<std::string> &candidates);

/// Whether two words are equal, ignoring case.
bool same_letters(const std::string &a, const std::string &b);

/// Names of a list's entries as "a|b|c", for a Selection of deal.II.
template <typename List>
std::string names_of(const List &list)
{
  std::vector<std::string> names;
  for (const auto &entry : list)
    names.push_back(entry.name);
  return join(names, "|");
}

/// Names and summaries of a list's entries, as "a: summary. b: summary".
template <typename List>
std::string summaries_of(const List &list)
{
  std::vector<std::string> texts;
  for (const auto &entry : list)
    texts.push_back(entry.name + ": " + entry.summary);
  return join(texts, ". ");
}

/// Removes white space at both ends.
std::string trim(const std::string &text);

/// Text of a deck for messages: without control characters, and cut off after `longest` characters.
std::string shown(std::string text, std::size_t longest = 100);

/// The message with lines of at most 1000 characters, and 8000 characters in all. It is a last
/// resort, so that no entry, however long, fills the screen.
std::string shortened(const std::string &message);

/// A name in the form that is compared: trimmed, with single blanks for white space within.
std::string normalise(const std::string &name);
} // namespace strut
