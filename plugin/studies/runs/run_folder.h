// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/runs/history_file.h"
#include "plugin/studies/runs/summary_file.h"

namespace strut::plugin
{
/// A run that has ended, as its folder has it.
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
  std::vector<Entry> entries;     ///< all that the deck may set
  std::string result;             ///< the .vtu of the last design that was written
  unsigned int result_design = 0; ///< its iteration

  /// Throws Error if there is no such run, if it goes on or was killed, or if a file is missing or damaged.
  static RunFolder read(const std::string &folder);
};
} // namespace strut::plugin
