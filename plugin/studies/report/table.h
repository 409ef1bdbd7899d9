// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut::plugin
{
/// A table of text, for people: headers, rows of as many cells, the first columns left, the others
/// right aligned.
struct Table
{
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;
  std::size_t n_left = 1; ///< columns of words; the last one is words too

  bool is_left(const std::size_t column) const
  {
    return column < n_left || column + 1 == headers.size();
  }

  std::string text() const;
  std::string markdown() const;

  /// A tabular with the rules of the package booktabs.
  std::string latex() const;
};
} // namespace strut::plugin
