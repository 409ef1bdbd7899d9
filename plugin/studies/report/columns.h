// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugin/studies/report/format.h"
#include "plugin/studies/report/table.h"
#include "source/base/measure.h"
#include "source/base/text.h"

namespace strut
{
/// The columns of a report, for its tables and its comma-separated values. Each call adds a column.
/// Without a title it is not in the tables, without a CSV name not in the CSV. Users choose a
/// column by its CSV name, or by another name that several columns may share.
template <typename Row>
class Columns
{
public:
  using Text   = std::function<std::string(const Row &)>;
  using Number = std::function<std::optional<double>(const Row &)>;
  using Show   = std::string (*)(double);

  /// @param measured  whether a row has numbers; without it, all rows have
  explicit Columns(const std::function<bool(const Row &)> &measured = {}) : measured_(measured)
  {}

  /// Adds a column of text, in every row, left-aligned.
  void words(const std::string &title,
             const std::string &csv_name,
             const Text &text,
             const std::string &name = "")
  {
    add(name, {title, csv_name, true, true, [text](const Row &row) {
                 const std::string words = text(row);
                 return Cell{words, csv_text(words)};
               }});
  }

  /// Adds a column of whole numbers, in every row.
  void count(const std::string &title, const std::string &csv_name, const Number &number)
  {
    add("", {title, csv_name, false, true, [number](const Row &row) {
               const std::string digits = all_digits(*number(row));
               return Cell{digits, digits};
             }});
  }

  /// Adds a column of numbers in SI units, for measured rows; the number may be missing.
  void number(const std::string &title,
              const std::string &csv_name,
              const Show show,
              const Number &number,
              const std::string &name = "")
  {
    add(name, {title, csv_name, false, false, [show, number](const Row &row) {
                 const std::optional<double> value = number(row);
                 return value ? Cell{show(*value), all_digits(*value)} : Cell{"-", ""};
               }});
  }

  /// Adds a column of numbers to the CSV only.
  void csv_number(const std::string &csv_name, const Number &value, const std::string &name = "")
  {
    number("", csv_name, all_digits, value, name);
  }

  /// Adds a column of text to the tables only, for measured rows.
  void shown(const std::string &title, const Text &text, const std::string &name = "")
  {
    add(name, {title, "", false, false, [text](const Row &row) { return Cell{text(row), ""}; }});
  }

  /// Adds median and range of some seconds: "solve s", "range s". The name of the extremes is
  /// "range".
  void times(const std::string &title,
             const std::string &unit,
             const std::string &csv_name,
             const Show show,
             const std::function<Spread(const Row &)> &time)
  {
    number(title + unit, csv_name, show, [time](auto &row) { return time(row).median; });
    const auto range = [time, show](auto &row) {
      return show(time(row).smallest) + ".." + show(time(row).largest);
    };
    shown("range " + unit, range, "range");
    csv_number(
      "min_s", [time](auto &row) { return time(row).smallest; }, "range");
    csv_number(
      "max_s", [time](auto &row) { return time(row).largest; }, "range");
  }

  /// The names of the columns, each once.
  std::vector<std::string> names() const
  {
    std::vector<std::string> result;
    for (const Column &column : columns_)
      if (std::find(result.begin(), result.end(), column.name) == result.end())
        result.push_back(column.name);
    return result;
  }

  /// The columns with these names, in the order of the names.
  Columns chosen(const std::vector<std::string> &names) const
  {
    Columns result(measured_);
    for (auto name = names.begin(); name != names.end(); ++name)
      if (std::find(names.begin(), name, *name) == name)
        for (const Column &column : columns_)
          if (column.name == *name)
            result.columns_.push_back(column);
    return result;
  }

  /// Names of the CSV's columns, in order.
  std::vector<std::string> csv_names() const
  {
    std::vector<std::string> result;
    for (const Column &column : columns_)
      if (!column.csv_name.empty())
        result.push_back(column.csv_name);
    return result;
  }

  /// Table of the rows; it has no rows if there are no columns.
  Table table(const std::vector<Row> &rows) const
  {
    Table table;
    for (const Column &column : columns_)
      if (!column.title.empty())
        {
          table.headers.push_back(column.title);
          table.is_left.push_back(column.is_left);
        }
    if (table.headers.empty())
      return table;
    for (const Row &row : rows)
      {
        table.rows.emplace_back();
        for (const Column &column : columns_)
          if (!column.title.empty())
            table.rows.back().push_back(cell(column, row).shown);
      }
    return table;
  }

  /// CSV with one line per row, all digits and SI units, and the label in front as "# key: value".
  /// Without columns it is the label alone.
  std::string csv(const std::vector<Row> &rows, const Label &label) const
  {
    const std::vector<std::string> names = csv_names();
    std::string text                     = label_lines(label, "# ");
    if (names.empty())
      return text;
    text += join(names, ",") + '\n';
    for (const Row &row : rows)
      {
        std::vector<std::string> values;
        for (const Column &column : columns_)
          if (!column.csv_name.empty())
            values.push_back(cell(column, row).csv);
        text += join(values, ",") + '\n';
      }
    return text;
  }

private:
  struct Cell
  {
    std::string shown, csv;
  };

  struct Column
  {
    std::string title, csv_name;
    bool is_left, in_every_row;
    std::function<Cell(const Row &)> cell;
    std::string name = {};
  };

  void add(const std::string &name, Column column)
  {
    column.name = name.empty() ? column.csv_name : name;
    columns_.push_back(std::move(column));
  }

  Cell cell(const Column &column, const Row &row) const
  {
    const bool is_known = column.in_every_row || !measured_ || measured_(row);
    return is_known ? column.cell(row) : Cell{"-", ""};
  }

  std::function<bool(const Row &)> measured_;
  std::vector<Column> columns_;
};
} // namespace strut
