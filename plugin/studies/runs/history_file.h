// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
/// The contents of a history.csv: a number for each design and column.
struct HistoryFile
{
  struct Column
  {
    std::string name;
    std::vector<double> values; ///< one value per row
  };

  std::vector<unsigned int> designs; ///< iterations of the designs, ascending
  /// Columns without `iteration`: the objective first, then the volume fraction and the others.
  std::vector<Column> columns;

  const Column *find(const std::string &name) const;

  /// Reads a file. Throws Error with the file, the line and what is wrong with it.
  static HistoryFile read(const std::string &file_name);
};
} // namespace strut
