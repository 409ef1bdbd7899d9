// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/deck.h"

#include "plugin/base/named_file.h"
#include "plugin/base/spelling.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

namespace strut
{
namespace fs = std::filesystem;

namespace
{
/// Most characters of a file's name in a message; most systems allow no longer names in a folder.
constexpr std::size_t longest_name = 255;

/// Why an existing file is not a regular file, or empty. Reading a device or a pipe may never end.
std::string no_plain_file(const fs::path &file)
{
  std::error_code ignored;
  switch (fs::status(file, ignored).type())
    {
      case fs::file_type::regular:
        return {};
      case fs::file_type::character:
      case fs::file_type::block:
        return "a device";
      case fs::file_type::fifo:
        return "a pipe";
      case fs::file_type::socket:
        return "a socket";
      default:
        return "no plain file";
    }
}

/// Names of the parameter files in a directory, sorted. The empty path is the working directory.
std::vector<std::string> decks_in(const fs::path &directory)
{
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto &file : fs::directory_iterator(directory.empty() ? "." : directory, ignored))
    if (file.path().extension() == ".prm")
      names.push_back(file.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string missing_file(const fs::path &file)
{
  if (const std::string link = broken_link(file.string()); !link.empty())
    return shown(file.string(), longest_name) + ": this is " + link +
           ".\n  Name the parameter file itself, or make the link again.";
  std::error_code ignored;
  const fs::path directory = file.parent_path();
  std::string text         = shown(file.string(), longest_name) + ": there is no such file";
  if (file.is_relative())
    text += " in the working directory " + fs::current_path(ignored).string();
  text += ".\n  ";
  if (!directory.empty() && !fs::is_directory(directory, ignored))
    return text + "There is no directory '" + shown(directory.string(), longest_name) + "' either.";
  const std::vector<std::string> decks = decks_in(directory);
  const std::vector<std::string> near  = near_names(file.filename().string(), decks);
  if (!near.empty())
    return text + "Did you mean '" + (directory / near.front()).string() + "'?";
  if (decks.empty())
    return text + "There are no parameter files (*.prm) beside it.";
  return text + "Parameter files there: " + join(decks) + ".";
}

/// Returns the file name if the file can be read. Otherwise throws Error: the file is missing (with
/// similar file names), a directory (with its parameter files), or not readable.
std::string checked_deck_file(const std::string &file_name)
{
  std::error_code ignored;
  if (file_name.empty())
    throw Error("The name of the parameter file is empty.");
  if (!fs::exists(file_name, ignored))
    throw Error(missing_file(file_name));
  if (fs::is_directory(file_name, ignored))
    {
      const std::vector<std::string> decks = decks_in(file_name);
      throw Error(file_name + ": this is a directory; a parameter file is needed.\n  " +
                  (decks.empty() ? "There are no parameter files (*.prm) in it."
                                 : "Parameter files in it: " + join(decks) + "."));
    }
  if (const std::string kind = no_plain_file(file_name); !kind.empty())
    throw Error(file_name + ": this is " + kind + "; a parameter file is needed.");
  if (!std::ifstream(file_name))
    throw Error(file_name + ": this file cannot be read: " + std::strerror(errno) + ".");
  return file_name;
}

/// The file that `include name` means: in the folder of the including file, otherwise in the
/// working directory.
/// @param place  "file:line" of the include line, for the message
std::string find_included_file(const std::string &name,
                               const std::string &including_file,
                               const std::string &place)
{
  constexpr std::size_t longest_path = 4096; // this system opens no longer one
  if (name.size() > longest_path)
    throw Error(place + ": 'include " + shown(name) + "' has a name of " +
                std::to_string(name.size()) + " characters.\n  At most " +
                std::to_string(longest_path) + " are possible.");
  const fs::path beside = fs::path(including_file).parent_path() / name;
  std::vector<std::string> candidates{beside.lexically_normal().string()};
  if (const std::string plain = fs::path(name).lexically_normal().string(); plain != candidates[0])
    candidates.push_back(plain);

  std::error_code ignored;
  for (const std::string &candidate : candidates)
    if (fs::is_directory(candidate, ignored))
      throw Error(place + ": 'include " + shown(name, longest_name) +
                  "' names a directory; a parameter file is needed.");
    else if (fs::exists(candidate, ignored))
      {
        if (const std::string kind = no_plain_file(candidate); !kind.empty())
          throw Error(place + ": 'include " + shown(name, longest_name) + "' names " + kind +
                      "; a parameter file is needed.");
        if (!std::ifstream(candidate))
          throw Error(place + ": the included file '" + shown(candidate, longest_name) +
                      "' cannot be read: " + std::strerror(errno) + ".");
        return candidate;
      }
    else if (const std::string link = broken_link(candidate); !link.empty())
      throw Error(place + ": 'include " + shown(name, longest_name) + "' names " + link +
                  ".\n  Name the file itself, or make the link again.");

  const auto in_quotes = name.find_first_of("\"'<") != std::string::npos;
  std::vector<std::string> tried;
  for (const std::string &candidate : candidates)
    tried.push_back("'" + shown(candidate, longest_name) + "'");
  std::string text = place + ": there is no file to include as '" + shown(name, longest_name) +
                     "'.\n  Tried: " + join(tried) + " (working directory " +
                     fs::current_path(ignored).string() + ").";
  if (in_quotes)
    text += " Write the name without quotes.";
  else if (const auto near = near_names(beside.filename().string(), decks_in(beside.parent_path()));
           !near.empty())
    text += " Did you mean '" + near.front() + "'?";
  throw Error(text);
}

/// Throws Error for bytes that are not text: messages about their first line would be useless.
void require_text(const std::string &file_name, const std::string &bytes)
{
  if (bytes.compare(0, 2, "\xFF\xFE") == 0 || bytes.compare(0, 2, "\xFE\xFF") == 0)
    throw Error(file_name +
                ": this file is text in UTF-16; a deck is text in UTF-8.\n  Save it again with the "
                "encoding UTF-8.");
  const auto is_control = [](const unsigned char c) { return c < ' ' && std::isspace(c) == 0; };
  const auto n_control =
    static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), is_control));
  // A twentieth: compressed data have twice that, and text with a slip has one or two such bytes.
  if (bytes.find('\0') != std::string::npos || 20 * n_control > bytes.size())
    throw Error(
      file_name +
      ": this file is binary; a deck is plain text.\n  Name the deck, *.prm. Is it a mesh? A deck "
      "names it: 'set File name' in Mesh / File.");
}

/// The contents of a file. Throws Error if it is longer than a deck may be, as meshes often are.
std::string deck_text(const std::string &file_name)
{
  constexpr std::size_t most = 4000000; // a deck of 20,000 supports
  std::ifstream stream(file_name, std::ios::binary);
  std::string text(most + 1, '\0');
  stream.read(&text[0], static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > most)
    throw Error(
      file_name + ": this file has more than " + std::to_string(most) +
      " bytes, more than a deck can have.\n  Is it a mesh? A deck names it: 'set File name' in "
      "Mesh / File.");
  require_text(file_name, text);
  return text;
}

std::string in_line(const unsigned int line)
{
  return "line " + std::to_string(line);
}

/// The statements of a deck's files, in order, before they are compared with the declared entries.
struct ParsedDeck
{
  std::vector<Deck::Entry> entries;
  /// All `subsection` lines; the path includes the subsection itself.
  std::vector<Deck::Entry> subsections;
};

/// The parser of a deck. One object reads one deck with all included files.
class DeckParser
{
public:
  void read_file(const std::string &file_name)
  {
    files_.push_back({file_name, fs::canonical(file_name), open_.size(), {}, {}});
    std::istringstream stream(deck_text(file_name));
    std::optional<Statement> continued;
    unsigned int line = 0;
    for (std::string raw; std::getline(stream, raw);)
      {
        ++line;
        // The byte order mark of some editors.
        if (line == 1 && raw.compare(0, 3, "\xEF\xBB\xBF") == 0)
          raw.erase(0, 3);

        // As in deal.II, '\' is recognised before comments are cut off. White space before it
        // stays, that at the beginning of the next line is removed.
        std::string piece  = trim(raw);
        const bool goes_on = !piece.empty() && piece.back() == '\\';
        if (goes_on)
          piece.pop_back();
        if (!continued)
          continued = Statement{{}, line, std::min(raw.find_first_not_of(" \t"), raw.size())};
        continued->text += piece;
        if (!goes_on)
          {
            interpret(*continued);
            continued.reset();
          }
      }
    if (continued)
      interpret(*continued);
    check_all_closed(line);
    files_.pop_back();
  }

  ParsedDeck result;

private:
  /// A line with its continuations, without its comment.
  struct Statement
  {
    std::string text;
    unsigned int line       = 0; ///< the first line
    std::size_t indentation = 0;
  };

  struct OpenSubsection
  {
    std::string name;
    std::string file;
    unsigned int line       = 0;
    std::size_t indentation = 0;
  };

  /// The state of one file while it is being read.
  struct File
  {
    std::string name;
    fs::path identity;
    std::size_t depth_at_begin = 0;
    std::string last_closed;       ///< "'Mesh' of line 3, was closed in line 9"
    std::string indentation_doubt; ///< a sentence about the first end that looks wrong
  };

  void interpret(const Statement &statement)
  {
    std::string text = statement.text.substr(0, statement.text.find('#'));
    std::replace(text.begin(), text.end(), '\t', ' ');
    text = trim(text);
    if (text.empty())
      return;
    const std::size_t blank   = std::min(text.find(' '), text.size());
    const std::string keyword = text.substr(0, blank), rest = trim(text.substr(blank));

    if (keyword == "subsection" || keyword == "SUBSECTION")
      open_subsection(statement, normalise(rest));
    else if (keyword == "set" || keyword == "SET")
      set_entry(statement, rest);
    else if (keyword == "include" || keyword == "INCLUDE")
      include(statement, rest);
    else if (keyword == "end" || keyword == "END")
      {
        if (!rest.empty())
          fail(statement, "'end' must be alone on its line; found '" + shown(text) + "'.");
        close_subsection(statement);
      }
    else
      {
        std::string hint;
        const std::string whole = shown(text);
        if (const auto near = near_names(keyword, {"subsection", "set", "end", "include"});
            !near.empty())
          hint = " Did you mean '" + near.front() + "'?";
        else if (text.find('=') != std::string::npos)
          hint = " Did you mean 'set " + whole + "'?";
        fail(statement,
             "cannot read '" + whole + "'." + hint +
               "\n  A line is 'subsection NAME', 'set ENTRY = VALUE', 'end', 'include FILE', or a "
               "comment after '#'.");
      }
  }

  void open_subsection(const Statement &statement, const std::string &name)
  {
    if (name.empty())
      fail(statement, "'subsection' needs a name: 'subsection NAME'.");
    if (open_.size() == deepest_subsection)
      fail(
        statement,
        "subsection '" + shown(name) + "' is inside of " + std::to_string(open_.size()) +
          " others; that many are allowed, and decks need 2.\n  Is an 'end' missing? The outermost "
          "one open is '" +
          shown(open_.front().name) + "' of " + in_line(open_.front().line) + ".");
    open_.push_back({name, files_.back().name, statement.line, statement.indentation});
    result.subsections.push_back({path(), name, {}, files_.back().name, statement.line});
  }

  void close_subsection(const Statement &statement)
  {
    File &file = files_.back();
    if (open_.size() == file.depth_at_begin)
      {
        std::string text = "'end' without a subsection to close.";
        if (!file.last_closed.empty())
          text += "\n  The last subsection, " + file.last_closed + ".";
        if (file.depth_at_begin > 0)
          text += "\n  An included file closes only the subsections that it opens itself.";
        fail(statement, text + file.indentation_doubt);
      }
    const OpenSubsection closed = open_.back();
    open_.pop_back();
    const std::string which = "'" + shown(closed.name) + "' of " + in_line(closed.line);
    file.last_closed        = which + ", was closed in " + in_line(statement.line);
    if (closed.indentation != statement.indentation && file.indentation_doubt.empty())
      file.indentation_doubt = "\n  The 'end' in " + in_line(statement.line) +
                               " closes subsection " + which +
                               ", but is not indented like it: look there first.";
  }

  void set_entry(const Statement &statement, const std::string &assignment)
  {
    const std::size_t equal = assignment.find('=');
    if (equal == std::string::npos)
      fail(statement, "'set " + shown(assignment) + "' has no '='.\n  Write 'set ENTRY = VALUE'.");
    const Deck::Entry entry{path(),
                            normalise(assignment.substr(0, equal)),
                            trim(assignment.substr(equal + 1)),
                            files_.back().name,
                            statement.line};
    if (entry.name.empty())
      fail(statement, "no name before '='.\n  Write 'set ENTRY = VALUE'.");

    // Two settings in one file are a mistake. In two files, the second one is meant to replace the
    // first. The same line twice comes from a file that is included twice.
    std::vector<std::string> key = entry.path;
    key.insert(key.end(), {entry.name, entry.file});
    const auto [first, is_new] = set_.emplace(key, result.entries.size());
    if (const Deck::Entry *other = is_new ? nullptr : &result.entries[first->second];
        other != nullptr && other->line != entry.line)
      fail(statement,
           "'" + shown(entry.name) + "' is set a second time" +
             (entry.path.empty() ? std::string()
                                 : " in subsection '" + shown(join(entry.path, " / ")) + "'") +
             ".\n  Line " + std::to_string(other->line) + " sets it to '" + shown(other->value) +
             "', " + in_line(entry.line) + " to '" + shown(entry.value) + "': keep one of them.");
    result.entries.push_back(entry);
  }

  void include(const Statement &statement, const std::string &name)
  {
    if (name.empty())
      fail(statement, "'include' needs the name of a file: 'include FILE'.");
    const std::string place = files_.back().name + ":" + std::to_string(statement.line);
    const std::string file  = find_included_file(name, files_.back().name, place);
    const auto identity     = fs::canonical(file);
    const auto open         = std::find_if(files_.begin(), files_.end(), [&](const File &f) {
      return f.identity == identity;
    });
    if (open != files_.end())
      {
        std::vector<std::string> circle;
        for (auto f = open; f != files_.end(); ++f)
          circle.push_back(f->name);
        circle.push_back(open->name);
        fail(statement,
             "'include " + shown(name) + "' makes files include each other without end:\n  " +
               join(circle, " -> ") + ".");
      }
    // Files may be included several times, so few files can include each other thousands of times.
    if (++n_includes_ > most_includes)
      fail(statement,
           "this deck includes files more than " + std::to_string(most_includes) +
             " times.\n  Include each file once.");
    read_file(file);
  }

  void check_all_closed(const unsigned int last_line) const
  {
    const File &file = files_.back();
    if (open_.size() == file.depth_at_begin)
      return;
    std::string text = open_.back().file + ":" + std::to_string(open_.back().line) +
                       ": subsection '" + shown(open_.back().name) +
                       "' is never closed: its 'end' is missing before the file ends in " +
                       in_line(last_line) + ".";
    for (std::size_t i = open_.size() - 1; i > file.depth_at_begin; --i)
      text += "\n  Open as well: subsection '" + shown(open_[i - 1].name) + "' of " +
              in_line(open_[i - 1].line) + ".";
    throw Error(text + file.indentation_doubt);
  }

  std::vector<std::string> path() const
  {
    std::vector<std::string> names;
    for (const OpenSubsection &subsection : open_)
      names.push_back(subsection.name);
    return names;
  }

  [[noreturn]] void fail(const Statement &statement, const std::string &text) const
  {
    throw Error(files_.back().name + ":" + std::to_string(statement.line) + ": " + text);
  }

  static constexpr std::size_t deepest_subsection = 20, most_includes = 1000;

  std::vector<File> files_;
  std::vector<OpenSubsection> open_;
  /// First index in the result of each entry that was set, by its path, name and file.
  std::map<std::vector<std::string>, std::size_t> set_;
  std::size_t n_includes_ = 0;
};


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
} // namespace

Deck Deck::read(const std::string &file_name, const std::vector<Setting> &settings)
{
  DeckParser parser;
  parser.read_file(checked_deck_file(file_name));
  Deck deck;
  deck.file_name_   = file_name;
  deck.entries_     = std::move(parser.result.entries);
  deck.subsections_ = std::move(parser.result.subsections);
  for (Entry &entry : parse_settings(settings))
    deck.entries_.push_back(std::move(entry));
  return deck;
}
} // namespace strut
