// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/history.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <sstream>

namespace strut
{
namespace
{
template <typename... Values>
std::string formatted(const char *format, const Values... values)
{
  char line[512]; // some numbers of at most 25 characters, or short titles
  std::snprintf(line, sizeof(line), format, values...);
  return line;
}

/// Formats a number in ten characters, with an exponent for very small and large values.
std::string number(const double value)
{
  const double size = std::abs(value);
  return formatted(size >= 1e4 || (size > 0. && size < 1e-5) ? " %10.3e" : " %10.6f", value);
}
} // namespace

std::string column_name(std::string text)
{
  std::replace_if(
    text.begin(), text.end(), [](const unsigned char c) { return std::isspace(c) != 0; }, '_');
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::ostringstream quoted;
  quoted << std::quoted(text, '"', '"');
  return quoted.str();
}

std::string history_text(const std::vector<IterationRecord> &history,
                         const std::vector<HistoryColumn> &columns,
                         const std::string &objective,
                         const std::vector<std::string> &load_cases)
{
  std::string contents = "iteration," + column_name(objective) + ",volume_fraction";
  for (const HistoryColumn &column : columns)
    contents += ',' + column_name(column.name);
  contents += ",solver_iterations,residual,seconds";
  const bool several =
    load_cases.size() > 1 &&
    (history.empty() || history.front().case_objectives.size() == load_cases.size());
  if (several)
    for (const std::string &name : load_cases)
      contents += ',' + column_name(objective + '_' + name);
  contents += '\n';
  // 17 digits reproduce the same double.
  for (const IterationRecord &record : history)
    {
      contents +=
        formatted("%u,%.17g,%.17g", record.iteration, record.objective, record.volume_fraction);
      for (const double value : record.values)
        contents += formatted(",%.17g", value);
      contents +=
        formatted(",%u,%.17g,%.17g", record.solver_iterations, record.residual, record.seconds);
      if (several)
        for (const double value : record.case_objectives)
          contents += formatted(",%.17g", value);
      contents += '\n';
    }
  return contents;
}

std::string screen_header(const std::vector<HistoryColumn> &columns, const std::string &objective)
{
  std::string line = formatted("%5s %15s %10s", "iter", objective.c_str(), "volume");
  for (const HistoryColumn &column : columns)
    if (!column.title.empty())
      line += formatted(" %10s", column.title.c_str());
  return line + formatted(" %9s %10s %9s", "PCG iter", "residual", "seconds");
}

std::string screen_line(const std::vector<HistoryColumn> &columns, const IterationRecord &record)
{
  std::string line =
    formatted("%5u %15.8e %10.6f", record.iteration, record.objective, record.volume_fraction);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!columns[c].title.empty())
      line += number(record.values[c]);
  return line +
         formatted(" %9u %10.2e %9.2f", record.solver_iterations, record.residual, record.seconds);
}
} // namespace strut
