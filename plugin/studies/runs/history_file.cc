// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/runs/history_file.h"

#include <strut/base/exceptions.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "plugin/base/spelling.h"

namespace strut
{
namespace
{
/// Fields of a line of CSV (RFC 4180); names of constraints may be in quotes.
std::vector<std::string> fields_of(const std::string &line)
{
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else if (line[i] != '\r')
      fields.back() += line[i];
  return fields;
}
} // namespace

const HistoryFile::Column *HistoryFile::find(const std::string &name) const
{
  for (const Column &column : columns)
    if (column.name == name)
      return &column;
  return nullptr;
}

HistoryFile HistoryFile::read(const std::string &file_name)
{
  const std::string remedy = "\nRun the deck again, or take the file from a copy.";
  std::ifstream file(file_name);
  if (!file)
    throw Error("The file " + file_name + " cannot be opened: " + std::strerror(errno) + '.' +
                remedy);
  unsigned int n_lines = 0;
  const auto fail      = [&](const std::string &reason) {
    throw Error("The file " + file_name + " is damaged: line " + std::to_string(n_lines) + ' ' +
                reason + '.' + remedy);
  };
  HistoryFile history;
  std::string line;
  ++n_lines;
  std::getline(file, line);
  const std::vector<std::string> names = fields_of(line);
  if (names.size() < 3 || names[0] != "iteration" || names[2] != "volume_fraction")
    fail("names the columns '" + shown(line) +
         "', and those of a history are iteration, objective, volume_fraction and so on");
  for (std::size_t c = 1; c < names.size(); ++c)
    history.columns.push_back({names[c], {}});
  while (std::getline(file, line))
    {
      ++n_lines;
      const std::vector<std::string> fields = fields_of(line);
      if (fields.size() != names.size())
        fail("has " + std::to_string(fields.size()) + " numbers, and there are " +
             std::to_string(names.size()) + " columns");
      for (std::size_t c = 0; c < fields.size(); ++c)
        {
          char *end          = nullptr;
          const double value = std::strtod(fields[c].c_str(), &end);
          if (fields[c].empty() || *end != '\0')
            fail("has '" + shown(fields[c], 40) + "' as " + names[c] + ", which is no number");
          if (c > 0)
            history.columns[c - 1].values.push_back(value);
          else if (!(value >= 1. && value <= 4e9) || value != std::floor(value) ||
                   (!history.designs.empty() && value <= history.designs.back()))
            fail("has the iteration " + fields[c] + ", and they are whole numbers that ascend");
          else
            history.designs.push_back(static_cast<unsigned int>(value));
        }
    }
  return history;
}
} // namespace strut
