// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/runs/history_file.h"
#include "plugin/studies/runs/summary_file.h"

namespace strut
{
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
