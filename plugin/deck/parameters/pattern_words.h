// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

namespace strut
{
/// Describes a pattern of deal.II in words: "[Integer range 1...9 (inclusive)]" is "an integer
/// between 1 and 9". An unknown pattern is returned unchanged.
///
/// "[Integer]" without a range is deal.II's pattern of a variable of unsigned type: see
/// breaks_unsigned().
std::string pattern_in_words(const std::string &pattern);

/// The choices of a Selection, MultipleSelection or Bool; empty for other patterns.
std::vector<std::string> choices_of(const std::string &pattern);

/// The values of a list; the value itself if the pattern is not a list.
std::vector<std::string> values_in(const std::string &pattern, const std::string &value);

/// Whether the value has a negative number although the pattern belongs to an unsigned variable.
/// deal.II's pattern accepts it, and the variable becomes 2^32 - n.
bool breaks_unsigned(const std::string &pattern, const std::string &value);
} // namespace strut
