// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/deck.h"

#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/deck_messages.h"
#include "plugin/deck/parameters/deck_parser.h"
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
[[noreturn]] void fail(const Deck::Setting &setting, const std::string &text)
{
  throw Error(setting.option + ": " + text);
}

/// Splits "A / B / C" into its parts.
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

  // The value is written to parameters.prm, which is a deck. Reading it must give the same value.
  if (entry.value.find_first_of("#\n\r") != std::string::npos ||
      (!entry.value.empty() && entry.value.back() == '\\'))
    fail(setting,
         full_name(entry.path, entry.name) + " = " + shown(entry.value) +
           "\n  A deck cannot hold this value: in it '#' begins a comment, a value ends with its "
           "line, and '\\' at the end goes on in the next one.");
  return entry;
}

/// Returns the entries that "Section / Entry = value" of the command line sets, in their order. The
/// first '=' ends the name. Its parts are separated by " / ", or by '/' if there is no " / ".
///
/// Throws Error for a text without '=' or without a name, for a value that a deck cannot hold, and
/// for an entry that is set twice.
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

Deck Deck::read(const std::string &file_name, const std::vector<Setting> &settings)
{
  ParsedDeck parsed = parse_deck(file_name);
  Deck deck;
  deck.file_name_   = file_name;
  deck.entries_     = std::move(parsed.entries);
  deck.subsections_ = std::move(parsed.subsections);
  for (Entry &entry : parse_settings(settings))
    deck.entries_.push_back(std::move(entry));
  return deck;
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
        throw Error(unknown_entry(declared, entry));
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
