// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/text.h> // join() too is for messages

#include <string>
#include <vector>

namespace strut::plugin
{
/// Number of letters to insert, delete, replace or swap with a neighbour to get from one word to the
/// other (Damerau-Levenshtein, each letter touched once), upper and lower case being the same.
unsigned int edit_distance(const std::string &a, const std::string &b);

/// The candidates that someone who wrote `word` may have meant, nearest first, equally near ones in
/// the order given: few slips for the length of the word, or one being a part of the other.
std::vector<std::string> near_names(const std::string &word,
                                    const std::vector<std::string> &candidates);

/// The same letters, upper and lower case being the same.
bool same_letters(const std::string &a, const std::string &b);

/// "a|b|c" of the entries of a list with names, for a Selection of deal.II.
template <typename List>
std::string names_of(const List &list)
{
  std::vector<std::string> names;
  for (const auto &entry : list)
    names.push_back(entry.name);
  return join(names, "|");
}

/// "a: summary. b: summary" of the entries of a list with names and summaries.
template <typename List>
std::string summaries_of(const List &list)
{
  std::vector<std::string> texts;
  for (const auto &entry : list)
    texts.push_back(entry.name + ": " + entry.summary);
  return join(texts, ". ");
}

/// Remove white space at both ends.
std::string trim(const std::string &text);

/// A piece of a deck as a message may show it: without control characters, cut after so many.
std::string shown(std::string text, std::size_t longest = 100);

/// A message whose lines have 1000 characters at most, and 8000 in all: a last resort, so that no entry, however
/// long, fills the screen.
std::string shortened(const std::string &message);

/// A name as it is compared: without white space at its ends, one blank for white space within.
std::string normalise(const std::string &name);
} // namespace strut::plugin
