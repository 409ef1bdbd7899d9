// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/report/format.h"

namespace strut::plugin
{
/// A table of text, for people: headers, and rows of as many cells.
struct Table
{
  std::vector<std::string> headers;
  std::vector<bool> is_left; ///< the alignment of each column
  std::vector<std::vector<std::string>> rows;

  std::string text() const;
  std::string markdown() const;

  /// A tabular with the rules of the package booktabs.
  std::string latex() const;
};

/// A part of a report for people; empty parts are left out.
struct Section
{
  std::string heading; ///< as in Markdown: "## A solve"
  std::string before;  ///< text before the table
  Table table;
  std::string after; ///< text after the table
};

/// Title, label and sections.
std::string
markdown(const std::string &title, const Label &label, const std::vector<Section> &sections);

/// The tables, with label and texts as comments. A section without a table is left out.
std::string latex(const Label &label, const std::vector<Section> &sections);
} // namespace strut::plugin
