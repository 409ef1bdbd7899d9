// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "plugin/studies/comparison/results.h"
#include "plugin/studies/report/columns.h"

namespace strut
{
/// Columns of the reports, which refer to the results. Speed-ups of operators are relative to the
/// baseline in the same precision, those of solvers to find_ml().
Columns<OperatorResult> operator_columns(const ComparisonResults &results);
Columns<SolveResult> solve_columns(const ComparisonResults &results);
Columns<SolverResult> solver_columns(const SolverResults &results);

/// Names of the columns that the user can choose for operators and solves, each once.
std::vector<std::string> names_of_operator_columns();

/// The named columns, in the order of the names; all if there are no names. The column "status" is
/// added if a row with numbers is not "ok", so that nobody takes them for valid ones.
template <typename Row>
Columns<Row> chosen_columns(const Columns<Row> &all,
                            std::vector<std::string> names,
                            const std::vector<Row> &rows)
{
  if (names.empty())
    return all;
  if (std::any_of(rows.begin(),
                  rows.end(),
                  [](const Row &row) { return row.measured() && row.status != "ok"; }) &&
      std::find(names.begin(), names.end(), "status") == names.end())
    names.emplace_back("status");
  return all.chosen(names);
}

/// Writes <folder>/<deck>.operators.csv, .solves.csv, .md and .tex, each completely or not at all.
/// @param columns  names, see chosen_columns(); if there are none, .tex has those that fit a page
/// (16 cm at 10 pt)
void write_reports(const std::string &folder,
                   const ComparisonResults &results,
                   const std::vector<std::string> &columns = {});

/// Writes <folder>/<deck>.solvers.csv, .solvers.md and .solvers.tex in the same way.
void write_reports(const std::string &folder,
                   const SolverResults &results,
                   const std::vector<std::string> &columns = {});
} // namespace strut
