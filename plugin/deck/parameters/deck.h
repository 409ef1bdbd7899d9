// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/dealii_classes.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// A parameter file in deal.II's format: subsections, `set A = B`, comments after '#', lines
/// continued with '\', `include file`. Each entry is stored with its file and line, so that later
/// messages can name them.
class Deck
{
public:
  struct Entry
  {
    std::vector<std::string> path; ///< enclosing subsections, outermost first
    std::string name;
    std::string value;
    std::string file;      ///< file name, or the option of the command line
    unsigned int line = 0; ///< 0: on the command line
  };

  /// A setting of the command line, such as `--set "Section / Entry = value"`. It acts like the
  /// last line of the deck. Messages name the option as its place.
  struct Setting
  {
    std::string option; ///< "--set"
    std::string text;   ///< "Section / Entry = value"
  };

  /// Reads a file, then the settings of the command line. Throws Error if the file is missing, is
  /// not in the format, or sets an entry twice. Only an entry from an included file (or set before
  /// the include) may be set again: the last one counts.
  static Deck read(const std::string &file_name, const std::vector<Setting> &settings = {});

  /// The names of the subsections directly inside `path`, in order of first appearance. They are
  /// the user's names of supports, loads and regions, for example.
  std::vector<std::string> subsections(const std::vector<std::string> &path) const;

  /// Sets every entry in `parameters`, which must declare all of them and be at its top level.
  /// Throws Error that names file, line, entry and the allowed values. For an unknown name, the
  /// nearest declared ones are listed first. All names are checked before any value is set.
  void apply(dealii::ParameterHandler &parameters) const;

  /// The complete message for an error in one entry: file and line if the deck sets it, otherwise a
  /// remark that it has its default. The remark tells the default if `parameters` is given.
  std::string explain(const EntryError &error,
                      const dealii::ParameterHandler *parameters = nullptr) const;

  /// Returns "file:line" of the last setting of an entry, or of the first line of the subsection if
  /// `entry` is empty. It is only the file if the deck does not contain the entry.
  std::string where(const std::vector<std::string> &path, const std::string &entry) const;

  const std::string &file_name() const
  {
    return file_name_;
  }
  const std::vector<Entry> &entries() const
  {
    return entries_;
  }
  /// The last setting of an entry, or nullptr.
  const Entry *find_entry(const std::vector<std::string> &path, const std::string &name) const;

private:
  /// The first line of a subsection, or nullptr.
  const Entry *find_subsection(const std::vector<std::string> &path) const;

  std::string file_name_;
  std::vector<Entry> entries_;
  /// All `subsection` lines with their places; the path includes the subsection itself.
  std::vector<Entry> subsections_;
};

/// Returns "file:line", or the option of the command line.
std::string place_of(const Deck::Entry &entry);

/// Returns "A / B / name", without the last part if the name is empty.
std::string full_name(const std::vector<std::string> &path, const std::string &name);

/// The deck, and the settings of the command line.
struct DeckChoice
{
  std::string file;
  std::vector<Deck::Setting> settings;
};

/// The options that set entries of the deck, quoted for a shell, each preceded by a blank: " --set
/// 'A / B = c'".
std::string as_command_line(const std::vector<Deck::Setting> &settings);

/// Makes one object from its name for each subsection of `subsection` in the deck. They are
/// supports, loads and others with names of the user.
template <typename Named>
std::vector<std::unique_ptr<Named>> make_named(const Deck &deck, const std::string &subsection)
{
  std::vector<std::unique_ptr<Named>> result;
  for (const std::string &name : deck.subsections({subsection}))
    {
      // deal.II would take a slash in a name for another subsection.
      if (name.find('/') != std::string::npos)
        throw EntryError({subsection, name}, "", "A name must not contain '/'.");
      result.push_back(std::make_unique<Named>(name));
    }
  return result;
}
} // namespace strut
