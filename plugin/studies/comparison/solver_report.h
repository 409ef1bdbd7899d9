// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/studies/comparison/solver_results.h"
#include "plugin/studies/report/table.h"

namespace strut::plugin
{
/// The results as people read them.
Table solver_table(const SolverResults &results);

/// The same as lines of comma-separated values, all digits, SI units, the label in front as
/// "# key: value".
std::string solvers_csv(const SolverResults &results);

/// Write <folder>/<deck>.solvers.csv, .solvers.md and .solvers.tex, each whole or not at all.
void write_solver_reports(const std::string &folder, const SolverResults &results);
} // namespace strut::plugin
