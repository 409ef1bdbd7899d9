// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// Commit, hardware and versions behind numbers: key, value.
using Label = std::vector<std::pair<std::string, std::string>>;

std::string fixed(double number, int digits);
std::string scientific(double number);

/// Four significant digits.
std::string significant(double number);

/// With up to 12 digits.
std::string all_digits(double number);

/// So many digits after the point.
template <int n>
std::string digits(const double number)
{
  return fixed(number, n);
}

/// Without the unit, which is in the header of the column.
std::string milliseconds(double seconds);
std::string megabytes(double bytes);

/// A line for each entry, behind `begin`.
std::string label_lines(const Label &label, const std::string &begin);

/// A reason as a status: one line, without the full stop.
std::string status_text(const std::string &reason);

/// In a field of CSV neither comma nor quote nor line break.
std::string csv_text(std::string text);
} // namespace strut::plugin
