// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/report/table.h"

#include <algorithm>

namespace strut
{
namespace
{
std::string pad(const std::string &cell, const std::size_t width, const bool left)
{
  const std::string space(width > cell.size() ? width - cell.size() : 0, ' ');
  return left ? cell + space : space + cell;
}

std::string escape_latex(const std::string &cell)
{
  std::string result;
  for (const char c : cell)
    {
      if (std::string("%_&#$").find(c) != std::string::npos)
        result += '\\';
      result += c;
    }
  return result;
}

std::vector<std::size_t> widths(const Table &table)
{
  std::vector<std::size_t> result;
  for (std::size_t column = 0; column < table.headers.size(); ++column)
    {
      result.push_back(table.headers[column].size());
      for (const auto &row : table.rows)
        result.back() = std::max(result.back(), row[column].size());
    }
  return result;
}

/// A row of aligned cells: "| a | b |" for Markdown, or "a  b" with two blanks.
std::string aligned(const Table &table,
                    const std::vector<std::string> &cells,
                    const std::string &begin,
                    const std::string &separator,
                    const std::string &end)
{
  const std::vector<std::size_t> width = widths(table);
  std::string line                     = begin;
  for (std::size_t column = 0; column < cells.size(); ++column)
    line +=
      (column > 0 ? separator : "") + pad(cells[column], width[column], table.is_left[column]);
  line += end;
  return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}
} // namespace

std::string Table::text() const
{
  std::string result = aligned(*this, headers, "  ", "  ", "");
  for (const auto &row : rows)
    result += aligned(*this, row, "  ", "  ", "");
  return result;
}

std::string Table::markdown() const
{
  std::string result = aligned(*this, headers, "| ", " | ", " |");
  for (std::size_t column = 0; column < headers.size(); ++column)
    result += is_left[column] ? "|---" : "|---:";
  result += "|\n";
  for (const auto &row : rows)
    result += aligned(*this, row, "| ", " | ", " |");
  return result;
}

std::string Table::latex() const
{
  const auto line = [](const std::vector<std::string> &cells) {
    std::string text = "  ";
    for (std::size_t column = 0; column < cells.size(); ++column)
      text += (column > 0 ? " & " : "") + escape_latex(cells[column]);
    return text + " \\\\\n";
  };
  std::string alignment;
  for (const bool left : is_left)
    alignment += left ? 'l' : 'r';
  std::string result =
    "\\begin{tabular}{" + alignment + "}\n  \\toprule\n" + line(headers) + "  \\midrule\n";
  for (const auto &row : rows)
    result += line(row);
  return result + "  \\bottomrule\n\\end{tabular}\n";
}

std::string
markdown(const std::string &title, const Label &label, const std::vector<Section> &sections)
{
  std::string text     = "# " + title + "\n\n" + label_lines(label, "- ");
  const auto paragraph = [&](const std::string &line) {
    if (!line.empty())
      text += '\n' + line + '\n';
  };
  for (const Section &section : sections)
    {
      paragraph(section.heading);
      paragraph(section.before);
      if (!section.table.headers.empty())
        text += '\n' + section.table.markdown();
      paragraph(section.after);
    }
  return text;
}

std::string latex(const Label &label, const std::vector<Section> &sections)
{
  std::string text = label_lines(label, "% ") + "% needs \\usepackage{booktabs}\n";
  bool is_first    = true;
  for (const Section &section : sections)
    if (!section.table.headers.empty())
      {
        text += (is_first ? "% " : "\n% ") + section.after + '\n' + section.table.latex();
        is_first = false;
      }
  return text;
}
} // namespace strut
