// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
/// Appends a word to a list such as "a, b, c".
void add_to_list(std::string &list, const std::string &word);

/// Joins words: "a, b, c".
std::string join(const std::vector<std::string> &words, const std::string &separator = ", ");

/// Formats a number of bytes: "146.2 MB".
std::string format_bytes(double bytes);
} // namespace strut
