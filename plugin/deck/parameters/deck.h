// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/plugin/dealii_classes.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// A parameter file in deal.II's format (subsections, `set A = B`, comments after '#', lines
/// continued with '\', `include file`), read with file and line of each entry, so that every later
/// message can point at them.
class Deck
{
public:
  struct Entry
  {
    std::vector<std::string> path; ///< enclosing subsections, outermost first
    std::string name;
    std::string value;
    std::string file;      ///< or the option of the command line
    unsigned int line = 0; ///< 0: on the command line
  };

  /// A setting of the command line, such as `--set "Section / Entry = value"`: as if it were the last
  /// line of the deck. The option is the place in messages.
  struct Setting
  {
    std::string option; ///< "--set"
    std::string text;   ///< "Section / Entry = value"
  };

  /// Read a file; throws Error if it is missing, is not in the format, or sets an entry twice. Only
  /// an entry from an included file (or set before the include) may be set again: the last one wins.
  /// After that the settings of the command line.
  static Deck read(const std::string &file_name, const std::vector<Setting> &settings = {});

  /// The names of the subsections directly inside `path`, in order of first appearance: the
  /// user's names of supports, loads and regions.
  std::vector<std::string> subsections(const std::vector<std::string> &path) const;

  /// Set every entry in `parameters`, where all must be declared and which must be at its top level.
  /// Throws Error that names file, line, entry, what is allowed (for an unknown name the nearest
  /// declared ones first). Names are compared before any value is set.
  void apply(dealii::ParameterHandler &parameters) const;

  /// The whole message for an error in one entry: file and line if the deck sets it, otherwise that
  /// it has its default; which one, if `parameters` is given.
  std::string explain(const EntryError &error,
                      const dealii::ParameterHandler *parameters = nullptr) const;

  /// "file:line" of the last setting of an entry; of the subsection's first line if `entry` is empty;
  /// just the file if the deck does not contain it.
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
  /// Each `subsection` line, path including the subsection itself, with its place.
  std::vector<Entry> subsections_;
};
} // namespace strut::plugin
