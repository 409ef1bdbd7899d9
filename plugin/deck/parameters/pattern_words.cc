// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/pattern_words.h"

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <limits>

#include "plugin/base/spelling.h"

namespace strut
{
namespace
{
const std::string unbounded_above = "MAX_DOUBLE", unbounded_below = "-MAX_DOUBLE";
const std::string unsigned_pattern = "[Integer]";

bool starts_with(const std::string &text, const std::string &beginning)
{
  return text.compare(0, beginning.size(), beginning) == 0;
}

/// The text between two markers; empty if they are missing.
std::string between(const std::string &text, const std::string &before, const std::string &after)
{
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos)
    return {};
  const std::size_t end = text.find(after, begin + before.size());
  if (end == std::string::npos)
    return {};
  return text.substr(begin + before.size(), end - begin - before.size());
}

/// The patterns one level inside a pattern: "[List of <[Bool]> ...]" gives "[Bool]".
std::vector<std::string> inner_patterns(const std::string &pattern)
{
  std::vector<std::string> found;
  int depth         = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] == '[' && ++depth == 2)
      begin = i;
    else if (pattern[i] == ']' && depth-- == 2)
      found.push_back(pattern.substr(begin, i + 1 - begin));
  return found;
}

/// The words after the inner patterns: lengths and separators of the outermost pattern only.
std::string tail(const std::string &pattern)
{
  const std::size_t end = pattern.rfind("]>");
  return end == std::string::npos ? pattern : pattern.substr(end + 2);
}

std::string separator_of(const std::string &pattern)
{
  const std::string given = between(tail(pattern), "separated by <", ">");
  return given.empty() ? "," : given;
}

std::string number_in_words(const std::string &pattern)
{
  const std::string from = between(pattern, "[Double ", "..."), to = between(pattern, "...", " (");
  const bool open_below = from.empty() || from == unbounded_below;
  const bool open_above = to.empty() || to == unbounded_above;
  if (open_below && open_above)
    return "a number";
  if (open_above)
    return "a number of at least " + from;
  if (open_below)
    return "a number of at most " + to;
  return "a number between " + from + " and " + to;
}

std::string integer_in_words(const std::string &pattern)
{
  if (pattern == unsigned_pattern)
    return "an integer of at least 0";
  const std::string from = between(pattern, "range ", "..."), to = between(pattern, "...", " (");
  if (from == std::to_string(std::numeric_limits<int>::min()) &&
      to == std::to_string(std::numeric_limits<int>::max()))
    return "an integer";
  return "an integer between " + from + " and " + to;
}

std::string how_many_in_words(const std::string &pattern, const std::string &noun)
{
  const std::string unlimited = std::to_string(std::numeric_limits<unsigned int>::max());
  const std::string from      = between(tail(pattern), "of length ", "...");
  const std::string to        = between(tail(pattern), "...", " (");
  const std::string separated = " separated by '" + separator_of(pattern) + "'";
  if (from == to)
    return to == "1" ? "one " + noun : to + " " + noun + "s" + separated;
  if (to != unlimited)
    return from + " to " + to + " " + noun + "s" + separated;
  if (from == "0")
    return "any number of " + noun + "s" + separated;
  return "at least " + from + " " + noun + (from == "1" ? "" : "s") + separated;
}
} // namespace

std::vector<std::string> choices_of(const std::string &pattern)
{
  if (pattern == "[Bool]")
    return {"true", "false"};
  std::string list = between(pattern, "[Selection ", " ]");
  if (list.empty())
    list = between(pattern, "[MultipleSelection ", " ]");
  return dealii::Utilities::split_string_list(list, '|');
}

std::string pattern_in_words(const std::string &pattern)
{
  if (starts_with(pattern, "[Integer"))
    return integer_in_words(pattern);
  if (starts_with(pattern, "[Double"))
    return number_in_words(pattern);
  if (starts_with(pattern, "[Bool"))
    return "true or false";
  if (starts_with(pattern, "[Selection"))
    return "one of: " + join(choices_of(pattern));
  if (starts_with(pattern, "[MultipleSelection"))
    return "any of: " + join(choices_of(pattern)) + "; several separated by ','";
  if (starts_with(pattern, "[Anything"))
    return "any text";
  if (starts_with(pattern, "[FileName"))
    return "a file name";
  if (starts_with(pattern, "[DirectoryName"))
    return "the name of a directory";

  const std::vector<std::string> inner = inner_patterns(pattern);
  if (starts_with(pattern, "[List") && inner.size() == 1)
    return how_many_in_words(pattern, "value") + ", each " + pattern_in_words(inner[0]);
  if (starts_with(pattern, "[Map") && inner.size() == 2)
    return how_many_in_words(pattern, "pair") + ", each 'key" + between(pattern, "]>", "<[") +
           "value', the key " + pattern_in_words(inner[0]) + ", the value " +
           pattern_in_words(inner[1]);
  if (starts_with(pattern, "[Tuple") && !inner.empty())
    {
      std::string text = std::to_string(inner.size()) + " values";
      if (tail(pattern).find("separated by") != std::string::npos)
        text += " separated by '" + separator_of(pattern) + "'";
      for (std::size_t i = 0; i < inner.size(); ++i)
        text += (i == 0 ? ", first " : ", then ") + pattern_in_words(inner[i]);
      return text;
    }
  return pattern;
}

std::vector<std::string> values_in(const std::string &pattern, const std::string &value)
{
  if (!starts_with(pattern, "[List") && !starts_with(pattern, "[MultipleSelection"))
    return {value};
  std::vector<std::string> values =
    dealii::Utilities::split_string_list(value, separator_of(pattern));
  std::transform(values.begin(), values.end(), values.begin(), trim); // of tabs, too
  return values;
}

bool breaks_unsigned(const std::string &pattern, const std::string &value)
{
  if (pattern == unsigned_pattern)
    return starts_with(trim(value), "-");
  const std::vector<std::string> inner = inner_patterns(pattern);
  if (!starts_with(pattern, "[List") || inner.size() != 1)
    return false;
  const std::vector<std::string> values = values_in(pattern, value);
  return std::any_of(values.begin(), values.end(), [&](const std::string &one) {
    return breaks_unsigned(inner[0], one);
  });
}
} // namespace strut
