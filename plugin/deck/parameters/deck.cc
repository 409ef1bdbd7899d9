// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/deck.h"

#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/declared_parameters.h"
#include "plugin/deck/parameters/pattern_words.h"

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <set>
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

/// Returns whether the text is a number with a decimal comma, such as "0,3" or "-12,5".
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

/// The message for a subsection that its (declared) parent does not have.
std::string unknown_subsection(const DeclaredSection &declared, const Deck::Entry &subsection)
{
  return unknown_name(declared,
                      subsection,
                      Path(subsection.path.begin(), subsection.path.end() - 1),
                      true);
}

/// The message for a value that does not match the pattern of its entry.
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

/// Indents each line of a text by two blanks.
std::string indented(const std::string &text)
{
  std::istringstream stream(text);
  std::string result;
  for (std::string line; std::getline(stream, line);)
    result += (result.empty() ? "  " : "\n  ") + line;
  return result;
}

/// Enters subsections of a ParameterHandler and leaves them in its destructor, also after an
/// exception.
class SubsectionScope
{
public:
  SubsectionScope(dealii::ParameterHandler &parameters, const std::vector<std::string> &path)
    : parameters_(parameters), depth_(path.size())
  {
    for (const std::string &name : path)
      parameters_.enter_subsection(name);
  }
  SubsectionScope(const SubsectionScope &)            = delete;
  SubsectionScope &operator=(const SubsectionScope &) = delete;
  ~SubsectionScope()
  {
    for (std::size_t i = 0; i < depth_; ++i)
      parameters_.leave_subsection();
  }

private:
  dealii::ParameterHandler &parameters_;
  const std::size_t depth_;
};

/// Most characters of subsections and an entry in a message. strut's own names have a third of
/// that.
constexpr std::size_t longest_place = 200;

std::vector<std::string> normalised(std::vector<std::string> path)
{
  for (std::string &name : path)
    name = normalise(name);
  return path;
}

/// The message of a deal.II exception, without the lines, files and stack around it.
std::string plain_text(const dealii::ExceptionBase &exception)
{
  std::ostringstream info;
  exception.print_info(info);
  return normalise(info.str());
}

/// Quotes a word for a shell, if needed.
std::string quoted_for_shell(const std::string &word)
{
  const char *const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+,:";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string missing_entries(const std::string &file, const std::set<std::string> &keys)
{
  std::string text = file + ": the deck must set";
  for (const std::string &key : keys)
    {
      // deal.II puts a point between the names, and encodes points inside a name.
      std::vector<std::string> path = dealii::Utilities::split_string_list(key, '.');
      for (std::string &part : path)
        part = unmangle(part);
      text += "\n  " + full_name(path, {});
    }
  return text;
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

std::vector<std::string> Deck::subsections(const std::vector<std::string> &path) const
{
  const std::vector<std::string> outer = normalised(path);
  std::vector<std::string> names;
  for (const Entry &subsection : subsections_)
    if (subsection.path.size() == outer.size() + 1 &&
        std::equal(outer.begin(), outer.end(), subsection.path.begin()) &&
        std::find(names.begin(), names.end(), subsection.name) == names.end())
      names.push_back(subsection.name);
  return names;
}

void Deck::apply(dealii::ParameterHandler &parameters) const
{
  const DeclaredSection declared = declared_parameters(parameters);
  // Outer subsections come before inner ones, so that the parent of each is known to exist.
  for (const Entry &subsection : subsections_)
    if (declared.find(subsection.path) == nullptr)
      throw Error(unknown_subsection(declared, subsection));
  for (const Entry &entry : entries_)
    {
      // The command line opens no subsections, so those of its entries are checked here.
      for (auto end = entry.path.begin(); end != entry.path.end(); ++end)
        if (const Entry subsection{{entry.path.begin(), end + 1}, *end, {}, entry.file, entry.line};
            declared.find(subsection.path) == nullptr)
          throw Error(unknown_subsection(declared, subsection));
      if (declared.find(entry.path)->find_entry(entry.name) == nullptr)
        throw Error(unknown_name(declared, entry, entry.path, false));
    }

  for (const Entry &entry : entries_)
    {
      const DeclaredEntry &expected = *declared.find(entry.path)->find_entry(entry.name);
      if (breaks_unsigned(expected.pattern, entry.value))
        throw Error(wrong_value(expected, entry));
      const auto explained = [&](const std::string &text) {
        return Error(explain(EntryError(entry.path, entry.name, text)));
      };
      const SubsectionScope scope(parameters, entry.path);
      try
        {
          parameters.set(entry.name, entry.value);
        }
      catch (const dealii::ParameterHandler::ExcValueDoesNotMatchPattern &)
        {
          throw Error(wrong_value(expected, entry));
        }
      // The other errors come from the actions that run as soon as the value is set.
      catch (const EntryError &error)
        {
          throw Error(explain(error, &parameters));
        }
      catch (const Error &)
        {
          throw;
        }
      catch (const dealii::ExceptionBase &exception)
        {
          throw explained(plain_text(exception));
        }
      catch (const std::exception &exception)
        {
          throw explained(exception.what());
        }
    }
  if (const auto missing = parameters.get_entries_wrongly_not_set(); !missing.empty())
    throw Error(missing_entries(file_name_, missing));
}

std::string Deck::explain(const EntryError &error, const dealii::ParameterHandler *parameters) const
{
  const std::vector<std::string> path = normalised(error.path);
  const std::string name              = normalise(error.entry);
  std::string text                    = where(path, name) + ":";
  if (const std::string whole = full_name(path, name); !whole.empty())
    text += " " + shown(whole, longest_place);

  if (name.empty())
    {
      if (!path.empty() && find_subsection(path) == nullptr)
        text += " (the deck does not have this subsection)";
    }
  else if (const Entry *entry = find_entry(path, name))
    text += " = " + shown(entry->value);
  else
    {
      const DeclaredSection declared =
        parameters != nullptr ? declared_parameters(*parameters) : DeclaredSection();
      const DeclaredSection *section = declared.find(path);
      const DeclaredEntry *known     = section != nullptr ? section->find_entry(name) : nullptr;
      text += known == nullptr ? " (the deck does not set it)"
              : known->default_value.empty()
                ? " (empty by default; the deck does not set it)"
                : " (default " + known->default_value + "; the deck does not set it)";
    }
  return text + "\n" + indented(error.what());
}

std::string Deck::where(const std::vector<std::string> &path, const std::string &entry) const
{
  const std::string name = normalise(entry);
  const Entry *found     = name.empty() ? find_subsection(path) : find_entry(path, name);
  return found == nullptr ? file_name_ : place_of(*found);
}

const Deck::Entry *Deck::find_entry(const std::vector<std::string> &path,
                                    const std::string &name) const
{
  const std::vector<std::string> wanted = normalised(path);
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry &e) {
    return e.name == name && e.path == wanted;
  });
  return found == entries_.rend() ? nullptr : &*found;
}

const Deck::Entry *Deck::find_subsection(const std::vector<std::string> &path) const
{
  const std::vector<std::string> wanted = normalised(path);
  const auto found = std::find_if(subsections_.begin(), subsections_.end(), [&](const Entry &s) {
    return s.path == wanted;
  });
  return found == subsections_.end() ? nullptr : &*found;
}

std::string as_command_line(const std::vector<Deck::Setting> &settings)
{
  std::string text;
  for (const Deck::Setting &setting : settings)
    {
      // The value of --output and of --threads is the text after the '='.
      const std::string value = setting.option == "--set"
                                  ? setting.text
                                  : setting.text.substr(setting.text.find(" = ") + 3);
      text += ' ' + setting.option + ' ' + quoted_for_shell(value);
    }
  return text;
}
} // namespace strut
