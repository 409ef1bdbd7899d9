// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/runs/curve_comparison.h"
#include "source/base/text.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plugin/studies/report/format.h"

namespace strut
{
namespace
{
/// Rows of the two histories that have the same iteration.
std::vector<std::array<std::size_t, 2>> common_rows(const HistoryFile &a, const HistoryFile &b)
{
  std::vector<std::array<std::size_t, 2>> rows;
  for (std::size_t i = 0, k = 0; i < a.designs.size() && k < b.designs.size();)
    if (a.designs[i] == b.designs[k])
      rows.push_back({{i++, k++}});
    else if (a.designs[i] < b.designs[k])
      ++i;
    else
      ++k;
  return rows;
}

/// Whether a column has times, which always differ between runs.
bool is_time(const std::string &column)
{
  return column == "seconds";
}

/// Differences below this fraction of a column's largest value are rounding.
constexpr double rounding_of_curves = 1e-12;

double largest_size(const std::vector<double> &values)
{
  double largest = 0.;
  for (const double value : values)
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  return largest;
}
} // namespace

double relative_difference(const double a, const double b, const double least)
{
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0.;
  if (!std::isfinite(a) || !std::isfinite(b))
    return std::numeric_limits<double>::infinity();
  const double size = std::max(std::abs(a), std::abs(b));
  return size <= least ? 0. : std::abs(a - b) / size;
}

double CurveComparison::Column::largest() const
{
  return differences.empty() ? 0. : differences[place_of_largest()];
}

std::size_t CurveComparison::Column::place_of_largest() const
{
  return static_cast<std::size_t>(std::max_element(differences.begin(), differences.end()) -
                                  differences.begin());
}

CurveComparison CurveComparison::of(const HistoryFile &a, const HistoryFile &b)
{
  CurveComparison result;
  result.n_designs_a = a.designs.size();
  result.n_designs_b = b.designs.size();
  const auto rows    = common_rows(a, b);
  if (rows.empty())
    throw Error("The histories have no iteration in common: the one has " +
                std::to_string(a.designs.front()) + " to " + std::to_string(a.designs.back()) +
                ", the other " + std::to_string(b.designs.front()) + " to " +
                std::to_string(b.designs.back()) + ".\nCompare other runs.");
  for (const auto &row : rows)
    result.designs.push_back(a.designs[row[0]]);

  const auto add = [&](const HistoryFile::Column &of_a, const HistoryFile::Column &of_b) {
    Column column;
    column.comparable = of_a.name == of_b.name;
    column.name       = column.comparable ? of_a.name : of_a.name + " | " + of_b.name;
    column.of_solver  = of_a.name == "solver_iterations" || of_a.name == "residual";
    const double least =
      rounding_of_curves * std::max(largest_size(of_a.values), largest_size(of_b.values));
    for (const auto &row : rows)
      {
        column.a.push_back(of_a.values[row[0]]);
        column.b.push_back(of_b.values[row[1]]);
        column.differences.push_back(relative_difference(column.a.back(), column.b.back(), least));
      }
    result.columns.push_back(std::move(column));
  };
  add(a.columns.front(), b.columns.front()); // compares the objectives, even if their names differ
  for (std::size_t c = 1; c < a.columns.size(); ++c)
    if (is_time(a.columns[c].name))
      continue;
    else if (const HistoryFile::Column *const same = b.find(a.columns[c].name))
      add(a.columns[c], *same);
    else
      result.only_a.push_back(a.columns[c].name);
  for (std::size_t c = 1; c < b.columns.size(); ++c)
    if (!is_time(b.columns[c].name) && a.find(b.columns[c].name) == nullptr)
      result.only_b.push_back(b.columns[c].name);
  return result;
}

std::vector<std::size_t> CurveComparison::some_designs(const std::size_t most) const
{
  std::vector<std::size_t> places;
  const std::size_t n = std::min(most, designs.size());
  for (std::size_t k = 0; k < n; ++k)
    places.push_back(n == 1 ? 0 : k * (designs.size() - 1) / (n - 1));
  return places;
}

std::optional<std::string> CurveComparison::first_difference(const double tolerance) const
{
  const auto in_words = [](const std::string &of_run, const double value) {
    return of_run + " has " + all_digits(value);
  };
  for (std::size_t i = 0; i < designs.size(); ++i)
    for (const Column &column : columns)
      if (!column.of_solver && !column.comparable)
        return "the objectives are of other kinds: " + column.name;
      else if (!column.of_solver && column.differences[i] > tolerance)
        return column.name + " of design " + std::to_string(designs[i]) + ": " +
               in_words("A", column.a[i]) + ", " + in_words("B", column.b[i]) +
               ", a relative difference of " + scientific(column.differences[i]);
  for (const auto &[name, columns_of_one] : {std::make_pair("A", only_a), {"B", only_b}})
    if (!columns_of_one.empty())
      return std::string("columns of ") + name + " alone: " + join(columns_of_one);
  if (n_designs_a != n_designs_b)
    return "the number of designs: " + in_words("A", static_cast<double>(n_designs_a)) + ", " +
           in_words("B", static_cast<double>(n_designs_b)) + "; the first " +
           std::to_string(designs.size()) + " agree";
  return {};
}
} // namespace strut
