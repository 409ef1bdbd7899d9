// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/deck_messages.h"

#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/pattern_words.h"

#include <algorithm>
#include <sstream>

namespace strut
{
namespace
{
using Path = std::vector<std::string>;

/// A declared name with its subsection.
struct Namesake
{
  std::string name;
  Path path;
};

/// Collects all entries, or all subsections, of the whole tree.
void collect(const DeclaredSection &section,
             const Path &path,
             const bool want_subsections,
             std::vector<Namesake> &all)
{
  for (const std::string &name :
       want_subsections ? section.subsection_names() : section.entry_names())
    all.push_back({name, path});
  for (const DeclaredSection &inner : section.subsections)
    {
      Path inner_path = path;
      inner_path.push_back(inner.name);
      collect(inner, inner_path, want_subsections, all);
    }
}

std::string at(const Path &path)
{
  return path.empty() ? "at the top level" : "in subsection '" + shown(join(path, " / ")) + "'";
}

/// Returns "'x' exists in subsection 'A'." for the places where the wanted name itself is declared.
/// Otherwise, the nearest name in the whole tree is suggested. Empty if there is none.
std::string elsewhere(const DeclaredSection &declared,
                      const std::string &name,
                      const Path &here,
                      const bool want_subsections,
                      const bool found_near_here)
{
  std::vector<Namesake> all;
  collect(declared, {}, want_subsections, all);
  all.erase(std::remove_if(all.begin(),
                           all.end(),
                           [&](const Namesake &n) { return n.path == here; }),
            all.end());

  // More places would not help.
  constexpr std::size_t most = 3;
  std::vector<std::string> places;
  std::string spelled;
  for (const Namesake &namesake : all)
    if (same_letters(namesake.name, name))
      {
        spelled = namesake.name;
        places.push_back(at(namesake.path));
      }
  if (!places.empty())
    {
      const bool all_shown = places.size() <= most;
      places.resize(std::min(places.size(), most));
      return "'" + spelled + "' exists " + join(places) + (all_shown ? "" : " and elsewhere") + ".";
    }
  if (found_near_here)
    return {};

  std::vector<std::string> names;
  for (const Namesake &namesake : all)
    names.push_back(namesake.name);
  const std::vector<std::string> near = near_names(name, names);
  if (near.empty())
    return {};
  const auto nearest =
    std::find_if(all.begin(), all.end(), [&](const Namesake &n) { return n.name == near.front(); });
  return "Did you mean '" + nearest->name + "' " + at(nearest->path) + "?";
}

/// Returns "Allowed here: ..." with similar names first, then the others in their order.
std::string allowed_here(const std::vector<std::string> &near, const std::vector<std::string> &all)
{
  std::vector<std::string> names = near;
  for (const std::string &name : all)
    if (std::find(near.begin(), near.end(), name) == near.end())
      names.push_back(name);
  return "Allowed here: " + join(names) + ".";
}

/// Whether the text is a number with a decimal comma, such as "0,3" or "-12,5".
bool has_decimal_comma(const std::string &value)
{
  return value.find_first_not_of("+-0123456789,") == std::string::npos &&
         std::count(value.begin(), value.end(), ',') == 1;
}

/// The present name of an entry that was renamed; empty for other entries.
std::string new_name_of(const Path &here, const std::string &name)
{
  return here == Path{"Optimization"} && name == "Objective" ? "Minimise" : "";
}

/// The message for a name that is not declared in its subsection.
std::string unknown_name(const DeclaredSection &declared,
                         const Deck::Entry &place,
                         const Path &here,
                         const bool is_subsection)
{
  const DeclaredSection *section         = declared.find(here);
  const std::vector<std::string> entries = section->entry_names();
  const std::vector<std::string> inner   = section->subsection_names();
  const auto &allowed                    = is_subsection ? inner : entries;
  const auto &other                      = is_subsection ? entries : inner;
  const std::string &name                = place.name;
  const std::vector<std::string> near    = near_names(name, allowed);

  std::vector<std::string> sentences;
  if (const std::string now = is_subsection ? "" : new_name_of(here, name); !now.empty())
    sentences.push_back("It is called '" + now + "' now.");
  else if (std::find(other.begin(), other.end(), name) != other.end())
    sentences.push_back(is_subsection
                          ? "'" + name + "' is an entry: write 'set " + name + " = VALUE'."
                        : place.line == 0 ? "'" + name + "' is a subsection: name an entry of it."
                                          : "'" + name + "' is a subsection: write 'subsection " +
                                              name + "', its entries, and 'end'.");
  else
    {
      if (!near.empty())
        sentences.push_back("Did you mean '" + near.front() + "'?");
      if (const std::string text = elsewhere(declared, name, here, is_subsection, !near.empty());
          !text.empty())
        sentences.push_back(text);
    }
  if (!allowed.empty())
    sentences.push_back(allowed_here(near, allowed));
  else if (is_subsection)
    sentences.push_back("There are no subsections here" +
                        (other.empty() ? "." : ", but entries: " + join(other) + "."));
  else
    sentences.push_back("There are no entries here" +
                        (other.empty() ? "." : ", but subsections: " + join(other) + "."));
  return place_of(place) + ": unknown " + (is_subsection ? "subsection" : "entry") + " '" +
         shown(name) + "' " + at(here) + ".\n  " + join(sentences, " ");
}
} // namespace

std::string place_of(const Deck::Entry &entry)
{
  return entry.line == 0 ? entry.file : entry.file + ":" + std::to_string(entry.line);
}

std::string full_name(const std::vector<std::string> &path, const std::string &name)
{
  std::vector<std::string> parts = path;
  if (!name.empty())
    parts.push_back(name);
  return join(parts, " / ");
}

std::string indented(const std::string &text)
{
  std::istringstream stream(text);
  std::string result;
  for (std::string line; std::getline(stream, line);)
    result += (result.empty() ? "  " : "\n  ") + line;
  return result;
}

std::string unknown_entry(const DeclaredSection &declared, const Deck::Entry &entry)
{
  return unknown_name(declared, entry, entry.path, false);
}

std::string unknown_subsection(const DeclaredSection &declared, const Deck::Entry &subsection)
{
  return unknown_name(declared,
                      subsection,
                      Path(subsection.path.begin(), subsection.path.end() - 1),
                      true);
}

std::string wrong_value(const DeclaredEntry &declared, const Deck::Entry &entry)
{
  std::string text = place_of(entry) + ": " + full_name(entry.path, entry.name) + " = " +
                     shown(entry.value) + "\n  " +
                     (entry.value.empty() ? "No value is given. " : "") +
                     "Allowed: " + pattern_in_words(declared.pattern);
  const std::vector<std::string> choices = choices_of(declared.pattern);
  std::vector<std::string> near;
  for (const std::string &value : values_in(declared.pattern, entry.value))
    if (near.empty() && std::find(choices.begin(), choices.end(), value) == choices.end())
      near = near_names(value, choices);
  if (!near.empty())
    text += " (did you mean '" + near.front() + "'?)";
  else if (declared.pattern.rfind("[Double", 0) == 0 && has_decimal_comma(entry.value))
    text += " (with a decimal point, not a comma)";
  return text + ".";
}
} // namespace strut
