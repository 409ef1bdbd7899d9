// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/spelling.h"

#include <boost/algorithm/string.hpp>
#include <boost/algorithm/string/trim_all.hpp>

#include <algorithm>
#include <locale>
#include <utility>

namespace strut
{
namespace
{
std::string lower(const std::string &text)
{
  return boost::algorithm::to_lower_copy(text, std::locale::classic());
}
} // namespace

unsigned int edit_distance(const std::string &first, const std::string &second)
{
  const std::string a = lower(first), b = lower(second);
  // Row i holds the distances of the first i letters of a to all prefixes of b. Swaps of neighbours
  // need the last two rows.
  std::vector<unsigned int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = static_cast<unsigned int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    {
      std::swap(before_last, last);
      std::swap(last, row);
      row[0] = static_cast<unsigned int>(i);
      for (std::size_t j = 1; j <= b.size(); ++j)
        {
          const unsigned int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
          row[j]                      = std::min({replaced, last[j] + 1, row[j - 1] + 1});
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
  return row[b.size()];
}

std::vector<std::string> near_names(const std::string &word,
                                    const std::vector<std::string> &candidates)
{
  // Longer words are no misspelt names, and their distances take long to compute.
  constexpr std::size_t longest_word = 200;
  if (word.size() > longest_word)
    return {};

  // One slip is allowed for each three letters, as proposals beyond that mislead. Words count as
  // parts of others from four letters on, or every "x" would be a part of "Maximum".
  constexpr std::size_t letters_per_slip = 3, letters_of_a_part = 4;

  std::vector<std::pair<unsigned int, std::string>> found;
  for (const std::string &candidate : candidates)
    {
      const unsigned int distance = edit_distance(word, candidate);
      const std::size_t shorter   = std::min(word.size(), candidate.size());
      const std::size_t longer    = std::max(word.size(), candidate.size());
      const bool is_part =
        shorter >= letters_of_a_part && (lower(candidate).find(lower(word)) != std::string::npos ||
                                         lower(word).find(lower(candidate)) != std::string::npos);
      if (distance == 0 || distance <= longer / letters_per_slip || is_part)
        found.emplace_back(distance, candidate);
    }
  std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
    return a.first < b.first;
  });
  std::vector<std::string> names;
  for (auto &entry : found)
    names.push_back(std::move(entry.second));
  return names;
}

bool same_letters(const std::string &a, const std::string &b)
{
  return lower(a) == lower(b);
}

std::string trim(const std::string &text)
{
  return boost::algorithm::trim_copy(text, std::locale::classic());
}

std::string shown(std::string text, const std::size_t longest)
{
  const bool cut = text.size() > longest;
  if (cut)
    {
      // never cuts inside a UTF-8 character
      std::size_t end = longest;
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
      text.resize(end);
    }
  for (char &c : text)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0)
      c = '?';
  return cut ? text + "..." : text;
}

std::string shortened(const std::string &message)
{
  constexpr std::size_t longest_line = 1000, longest_text = 8000;
  std::string text;
  for (std::size_t begin = 0; begin <= message.size();)
    {
      const std::size_t end = std::min(message.find('\n', begin), message.size());
      std::string line      = message.substr(begin, end - begin);
      if (line.size() > longest_line)
        line = shown(line, longest_line);
      if (text.size() + line.size() > longest_text)
        return text + "  (cut: " + std::to_string(message.size() - begin) + " characters more)";
      text += line;
      if (end < message.size())
        text += '\n';
      begin = end + 1;
    }
  return text;
}

std::string normalise(const std::string &name)
{
  return boost::algorithm::trim_fill_copy(name, " ", std::locale::classic());
}
} // namespace strut
