// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/deck_files.h"

#include "plugin/base/spelling.h"
#include "plugin/base/symbolic_link.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

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
} // namespace

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

namespace
{
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
} // namespace

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
} // namespace strut
