// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "plugin/base/coordinate_text.h"
#include "plugin/studies/report/table.h"
#include "plugin/studies/runs/run_comparison.h"
#include "source/base/text.h"

namespace strut
{
namespace
{
/// Splits a text into pieces of at most `width` characters, at blanks, commas and slashes if
/// possible.
std::vector<std::string> broken_text(std::string text, const std::size_t width)
{
  std::vector<std::string> lines;
  while (text.size() > width)
    {
      std::size_t end = text.find_last_of(" ,/", width - 1);
      end             = end == std::string::npos || end < width / 3 ? width : end + 1;
      lines.push_back(text.substr(0, end));
      text.erase(0, end);
    }
  lines.push_back(text);
  return lines;
}

/// A table in 100 columns; long texts take several lines.
std::string table_of_facts(const std::string &title,
                           const std::vector<ComparedFact> &facts,
                           const std::size_t name_width,
                           const std::size_t value_width)
{
  Table table;
  table.headers = {title, "A", "B", "difference"};
  table.is_left = {true, true, true, false};
  for (const ComparedFact &fact : facts)
    {
      const std::array<std::vector<std::string>, 4> cells = {{broken_text(fact.name, name_width),
                                                              broken_text(fact.a, value_width),
                                                              broken_text(fact.b, value_width),
                                                              {fact.difference}}};
      std::size_t n_lines                                 = 0;
      for (const auto &cell : cells)
        n_lines = std::max(n_lines, cell.size());
      for (std::size_t line = 0; line < n_lines; ++line)
        {
          table.rows.emplace_back();
          for (const auto &cell : cells)
            table.rows.back().push_back(line < cell.size() ? cell[line] : "");
        }
    }
  return table.text();
}

/// A number with five digits, in at most ten characters.
std::string curve_number(const double value)
{
  char text[32];
  const double size = std::abs(value);
  std::snprintf(text,
                sizeof(text),
                size >= 1e5 && size < 1e9 && value == std::floor(value) ? "%.0f"
                : size != 0. && (size < 1e-3 || size >= 1e5)            ? "%.3e"
                                                                        : "%.5g",
                value);
  return text;
}

std::string table_of_curves(const CurveComparison &curves)
{
  const std::vector<std::size_t> shown_designs = curves.some_designs(5);
  constexpr std::size_t name_width             = 22;
  Table table;
  table.headers = {"in design", ""};
  table.is_left = {true, true};
  for (const std::size_t i : shown_designs)
    {
      table.headers.push_back(std::to_string(curves.designs[i]));
      table.is_left.push_back(false);
    }
  table.headers.insert(table.headers.end(), {"largest", "in"});
  table.is_left.insert(table.is_left.end(), {false, false});
  for (const CurveComparison::Column &column : curves.columns)
    {
      const std::vector<std::string> name = broken_text(column.name, name_width);
      for (std::size_t line = 0; line < std::max<std::size_t>(2, name.size()); ++line)
        {
          std::vector<std::string> row = {line < name.size() ? name[line] : "",
                                          line == 0   ? "A"
                                          : line == 1 ? "B"
                                                      : ""};
          for (const std::size_t i : shown_designs)
            row.push_back(line == 0   ? curve_number(column.a[i])
                          : line == 1 ? curve_number(column.b[i])
                                      : "");
          const bool has_difference = column.comparable && column.largest() > 0.;
          row.push_back(line > 0             ? ""
                        : !column.comparable ? "*"
                        : has_difference     ? difference_text(column.largest())
                                             : "none");
          row.push_back(line == 0 && has_difference
                          ? std::to_string(curves.designs[column.place_of_largest()])
                          : "");
          table.rows.push_back(row);
        }
    }
  return table.text();
}

std::string notes_on_curves(const CurveComparison &curves)
{
  std::string text;
  if (curves.n_designs_a != curves.n_designs_b)
    text += "  NOTE: A has " + std::to_string(curves.n_designs_a) + " designs and B has " +
            std::to_string(curves.n_designs_b) + "; the table is of the " +
            std::to_string(curves.designs.size()) + " that both have.\n";
  if (!curves.columns.front().comparable)
    text += "  NOTE: the objectives are of other kinds, " + curves.columns.front().name +
            ", so their values are not compared.\n";
  for (const auto &[name, columns] : {std::make_pair("A", curves.only_a), {"B", curves.only_b}})
    if (!columns.empty())
      {
        std::string note = std::string("NOTE: ") + name + " alone has " + join(columns) + '.';
        for (const std::string &line : broken_text(note, 96))
          text += "  " + line + '\n';
      }
  return text;
}
} // namespace

std::string describe_designs(const RunComparison &comparison)
{
  const DesignComparison &designs = comparison.designs;
  const auto percent              = [](const double share) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.3g %%", 100. * share);
    return std::string(text);
  };
  std::string text;
  for (const auto &[name, run] : {std::make_pair("A", &comparison.run_a), {"B", &comparison.run_b}})
    text += std::string("  ") + name + "  design " + std::to_string(run->result_design) + ", " +
            run->result + '\n';
  text +=
    std::string(designs.same_mesh
                  ? "  Both are on one mesh of "
                  : "  The meshes are not the same: B's design was brought onto A's mesh of ") +
    std::to_string(designs.a.size()) + " elements.\n";
  text += "  mean of |A - B| over the volume       " + number_text(designs.mean) + '\n';
  text += "  largest |A - B|                       " + number_text(designs.largest);
  if (designs.largest > 0.)
    text += ", in the element around " + place_text(designs.place);
  text += "\n  solid (density from 0.5) in A alone   " + percent(designs.solid_in_a) +
          " of the volume\n  solid in B alone                      " + percent(designs.solid_in_b) +
          " of the volume\n";
  if (comparison.rounding > 0.)
    text +=
      "  NOTE: densities of 'Output / Fields = density' are rounded by up to 1/8192: differences up to "
      "\n  " +
      number_text(comparison.rounding) + " may come from that alone.\n";
  if (designs.outside > 1e-4)
    text += "  NOTE: " + percent(designs.outside) +
            " of the volume of A's mesh is outside of B's, and counts as void there.\n";
  const double inside = designs.volume_a * (1. - designs.outside);
  if (designs.volume_b > inside * (1. + 1e-2))
    text += "  NOTE: B's mesh has the volume " + number_text(designs.volume_b) + ", A's mesh " +
            number_text(designs.volume_a) + ": what of B is outside of A's is not compared.\n";
  return text;
}

std::string describe(const RunComparison &comparison)
{
  std::string text = "A  " + comparison.run_a.folder + "\nB  " + comparison.run_b.folder + "\n\n";
  text += table_of_facts("The runs", comparison.facts, 24, 28);
  text += "\nThe decks";
  if (comparison.entries.empty())
    text += ": no entry differs\n";
  else
    text += "\n" + table_of_facts("entry", comparison.entries, 36, 22);
  text += "\nThe curves, and the largest relative difference of all designs\n" +
          table_of_curves(comparison.curves) + notes_on_curves(comparison.curves);
  return text + "\nThe last designs\n" + describe_designs(comparison);
}
} // namespace strut
