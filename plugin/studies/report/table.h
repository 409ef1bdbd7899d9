// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/report/format.h"

namespace strut
{
/// A table of text: headers, and rows with as many cells.
struct Table
{
  std::vector<std::string> headers;
  std::vector<bool> is_left; ///< whether each column is left-aligned
  std::vector<std::vector<std::string>> rows;

  std::string text() const;
  std::string markdown() const;

  /// A LaTeX tabular with the rules of the package booktabs.
  std::string latex() const;
};

/// A part of a report for readers; empty parts are left out.
struct Section
{
  std::string heading; ///< in Markdown, such as "## A solve"
  std::string before;  ///< text before the table
  Table table;
  std::string after; ///< text after the table
};

/// Title, label and sections in Markdown.
std::string
markdown(const std::string &title, const Label &label, const std::vector<Section> &sections);

/// The tables in LaTeX, with label and texts as comments. Sections without a table are left out.
std::string latex(const Label &label, const std::vector<Section> &sections);
} // namespace strut
