// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut::plugin
{
/// history.csv as it was written: a number for each design and column.
struct HistoryFile
{
  struct Column
  {
    std::string name;
    std::vector<double> values; ///< by row
  };

  std::vector<unsigned int> designs; ///< their iterations, ascending
  /// The objective first, then the volume fraction and the others; without `iteration`.
  std::vector<Column> columns;

  const Column *find(const std::string &name) const;

  /// Throws Error with the file, the line and what is wrong with it.
  static HistoryFile read(const std::string &file_name);
};
} // namespace strut::plugin
