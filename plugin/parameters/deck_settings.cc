// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/parameters/deck_settings.h"

#include "plugin/base/spelling.h"
#include "plugin/parameters/deck_messages.h"

#include <algorithm>

namespace strut::plugin
{
namespace
{
[[noreturn]] void fail(const Deck::Setting &setting, const std::string &text)
{
  throw Error(setting.option + ": " + text);
}

/// "A / B / C" as its parts.
std::vector<std::string> parts_of(const std::string &name)
{
  const std::string separator = name.find(" / ") != std::string::npos ? " / " : "/";
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + separator.size())
    {
      end = name.find(separator, begin);
      parts.push_back(normalise(name.substr(begin, end == std::string::npos ? end : end - begin)));
    }
  return parts;
}

Deck::Entry parse_setting(const Deck::Setting &setting)
{
  const std::string advice = "\n  Write " + setting.option + " \"SECTION / ENTRY = VALUE\".";
  const std::size_t equal  = setting.text.find('=');
  if (equal == std::string::npos)
    fail(setting, "'" + shown(setting.text) + "' has no '='." + advice);

  Deck::Entry entry;
  entry.path = parts_of(setting.text.substr(0, equal));
  if (std::any_of(entry.path.begin(), entry.path.end(), [](const auto &part) {
        return part.empty();
      }))
    fail(setting, "a name is missing before '=' in '" + shown(setting.text) + "'." + advice);
  entry.name = entry.path.back();
  entry.path.pop_back();
  entry.value = trim(setting.text.substr(equal + 1));
  entry.file  = setting.option;

  // What is set here is written to parameters.prm, which is a deck, and must come out of it the same.
  if (entry.value.find_first_of("#\n\r") != std::string::npos ||
      (!entry.value.empty() && entry.value.back() == '\\'))
    fail(setting,
         full_name(entry.path, entry.name) + " = " + shown(entry.value) +
           "\n  A deck cannot hold this value: in it '#' begins a comment, a value ends with its "
           "line, and '\\' at the end goes on in the next one.");
  return entry;
}
} // namespace

std::vector<Deck::Entry> parse_settings(const std::vector<Deck::Setting> &settings)
{
  std::vector<Deck::Entry> entries;
  for (const Deck::Setting &setting : settings)
    {
      const Deck::Entry entry = parse_setting(setting);
      for (const Deck::Entry &other : entries)
        if (other.name == entry.name && other.path == entry.path)
          fail(setting,
               full_name(entry.path, entry.name) + " is set a second time.\n  " + other.file +
                 " sets it to '" + shown(other.value) + "', " + entry.file + " to '" +
                 shown(entry.value) + "': keep one of them.");
      entries.push_back(entry);
    }
  return entries;
}
} // namespace strut::plugin
