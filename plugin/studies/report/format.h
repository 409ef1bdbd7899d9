// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// What numbers depend on: key, value.
using Label = std::vector<std::pair<std::string, std::string>>;

std::string fixed(double number, int digits);
std::string scientific(double number);

/// Four significant digits.
std::string significant(double number);

/// Make a row that has nothing but its status, in the last of n columns.
void fill_with_status(std::vector<std::string> &row, std::size_t n, const std::string &status);

/// A line for each entry, behind `begin`.
std::string label_lines(const Label &label, const std::string &begin);

/// A reason as a status: one line, without the full stop.
std::string status_text(const std::string &reason);

/// In a field of CSV neither comma nor quote nor line break.
std::string csv_text(std::string text);
} // namespace strut::plugin
