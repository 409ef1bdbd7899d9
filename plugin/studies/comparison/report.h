// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/studies/report/results.h"
#include "plugin/studies/report/table.h"

namespace strut::plugin
{
/// The results as people read them. Speed-ups are over the baseline of the same precision.
Table operator_table(const ComparisonResults &results);
Table solve_table(const ComparisonResults &results);

/// The same as lines of comma-separated values, all digits, SI units, the label in front as
/// "# key: value".
std::string operators_csv(const ComparisonResults &results);
std::string solves_csv(const ComparisonResults &results);

/// Label, tables and what their columns mean.
std::string markdown_report(const ComparisonResults &results);
std::string latex_report(const ComparisonResults &results);

/// Write <folder>/<deck>.operators.csv, .solves.csv, .md and .tex, each whole or not at all.
void write_reports(const std::string &folder, const ComparisonResults &results);
} // namespace strut::plugin
