// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// summary.json as it was written: its values by their paths, "volume fraction/got". Other versions of strut may
/// have fields that this one does not know, and lack some that it writes.
class SummaryFile
{
public:
  /// Throws Error with the file and the place if it is no JSON of a run.
  static SummaryFile read(const std::string &file_name);

  /// Nothing if there is no such field, or if it is null.
  std::optional<std::string> text(const std::string &path) const;
  std::optional<double> number(const std::string &path) const;

  /// The plain values directly in an object, in their order; lists, objects and nulls are left out.
  std::vector<std::pair<std::string, std::string>> values_in(const std::string &path) const;

  /// The texts of a list.
  std::vector<std::string> list(const std::string &path) const;

private:
  std::vector<std::pair<std::string, std::string>>
    values_; ///< elements of lists have the path of the list and '/'
};
} // namespace strut::plugin
