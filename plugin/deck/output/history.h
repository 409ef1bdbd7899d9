// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "source/optimization/design_method.h"

namespace strut
{
/// The text of history.csv: a header line, and one row per design iteration with full precision.
/// @param columns  names of IterationRecord::values, which follow the volume fraction
/// @param objective  name of the column of its values
/// @param load_cases  names of the load cases; if there are several, each has a column with its
///   objective at the end
std::string history_text(const std::vector<IterationRecord> &history,
                         const std::vector<HistoryColumn> &columns,
                         const std::string &objective               = "compliance",
                         const std::vector<std::string> &load_cases = {});

/// The name of a column in a CSV file (RFC 4180). A blank becomes '_', because many readers address
/// columns by bare words.
std::string column_name(std::string text);

/// The header for the lines on the screen: iteration, objective, volume, the method's columns, PCG
/// iterations, residual, seconds. screen_line() returns an aligned line.
std::string screen_header(const std::vector<HistoryColumn> &columns,
                          const std::string &objective = "compliance");
std::string screen_line(const std::vector<HistoryColumn> &columns, const IterationRecord &record);
} // namespace strut
