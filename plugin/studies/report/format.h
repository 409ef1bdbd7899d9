// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Commit, hardware and versions behind the numbers, as pairs of key and value.
using Label = std::vector<std::pair<std::string, std::string>>;

std::string fixed(double number, int digits);
std::string scientific(double number);

/// Number with six digits.
std::string number_text(double number);

/// Number with four significant digits.
std::string significant(double number);

/// Number with up to 12 digits.
std::string all_digits(double number);

/// Number with n digits after the point.
template <int n>
std::string digits(const double number)
{
  return fixed(number, n);
}

/// Number without its unit, which the header of the column has.
std::string milliseconds(double seconds);
std::string megabytes(double bytes);

/// One line for each entry, beginning with `begin`.
std::string label_lines(const Label &label, const std::string &begin);

/// Status text for a reason: one line, without the full stop.
std::string status_text(const std::string &reason);

/// Text for a field of CSV, without commas, quotes and line breaks.
std::string csv_text(std::string text);
} // namespace strut
