// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/studies/comparison/results.h"
#include "plugin/studies/report/columns.h"

namespace strut::plugin
{
/// The columns of the reports. They refer to the results. Speed-ups of operators are over the baseline of
/// the same precision, those of solvers over find_ml().
Columns<OperatorResult> operator_columns(const ComparisonResults &results);
Columns<SolveResult> solve_columns(const ComparisonResults &results);
Columns<SolverResult> solver_columns(const SolverResults &results);

/// Write <folder>/<deck>.operators.csv, .solves.csv, .md and .tex, each whole or not at all.
void write_reports(const std::string &folder, const ComparisonResults &results);

/// Write <folder>/<deck>.solvers.csv, .solvers.md and .solvers.tex, each whole or not at all.
void write_reports(const std::string &folder, const SolverResults &results);
} // namespace strut::plugin
