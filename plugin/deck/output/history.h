// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "source/optimization/design_method.h"

namespace strut::plugin
{
/// history.csv: a header line, one row per design iteration, full precision.
/// @param columns  names of IterationRecord::values, which follow the volume fraction
/// @param objective  name of the column of its values
/// @param load_cases  their names; of several each has a column with its own objective, at the end
std::string history_text(const std::vector<IterationRecord> &history,
                         const std::vector<HistoryColumn> &columns,
                         const std::string &objective               = "compliance",
                         const std::vector<std::string> &load_cases = {});

/// The name of a column in a CSV file (RFC 4180). A blank becomes '_': many readers have columns by bare words.
std::string column_name(std::string text);

/// The header and one aligned line for the screen: iteration, objective, volume, the method's columns, PCG
/// iterations, residual, seconds.
std::string screen_header(const std::vector<HistoryColumn> &columns,
                          const std::string &objective = "compliance");
std::string screen_line(const std::vector<HistoryColumn> &columns, const IterationRecord &record);
} // namespace strut::plugin
