// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
/// Add a word to "a, b, c".
void add_to_list(std::string &list, const std::string &word);

/// "a, b, c"
std::string join(const std::vector<std::string> &words, const std::string &separator = ", ");

/// "146.2 MB"
std::string format_bytes(double bytes);
} // namespace strut
