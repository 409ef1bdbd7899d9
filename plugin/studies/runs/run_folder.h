// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/studies/runs/history_file.h"

namespace strut
{
/// The contents of a summary.json: its values by their paths, such as "volume fraction/got".
/// Summaries of other versions of strut may have more or fewer fields.
class SummaryFile
{
public:
  /// Reads a file. Throws Error with the file and the place if it is not the JSON of a run.
  static SummaryFile read(const std::string &file_name);

  /// Value of a field; nothing if there is no such field, or if it is null.
  std::optional<std::string> text(const std::string &path) const;

  /// The plain values directly in an object, in order, without lists, objects and nulls.
  std::vector<std::pair<std::string, std::string>> values_in(const std::string &path) const;

  /// The texts of a list.
  std::vector<std::string> list(const std::string &path) const;

private:
  std::vector<std::pair<std::string, std::string>>
    values_; ///< values by path; elements of lists have the list's path and '/'
};

/// A finished run, read from its folder.
struct RunFolder
{
  struct Entry
  {
    std::string name; ///< "Section / entry"
    std::string value;
    bool is_default = false;
  };

  std::string folder;
  SummaryFile summary;
  HistoryFile history;
  std::vector<Entry> entries;     ///< all entries of the deck
  std::string result;             ///< the .vtu file of the last design
  unsigned int result_design = 0; ///< iteration of that design

  /// Reads a folder. Throws Error if there is no such run, if it is still running or was killed, or
  /// if a file is missing or damaged.
  static RunFolder read(const std::string &folder);
};
} // namespace strut
