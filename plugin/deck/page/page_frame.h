// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strut
{
/// Escapes text between tags or in an attribute of HTML. Bytes that are not UTF-8 become U+FFFD.
std::string html_escaped(const std::string &text);

/// Changes JSON so that no HTML tag begins in it: '<' occurs only in strings.
std::string between_tags(const std::string &json);

/// Returns the frame with each {{name}} replaced once. Names inside the inserted texts are not
/// replaced.
/// @param texts  in the order of their names in the frame
std::string filled_page(std::string_view frame,
                        const std::vector<std::pair<std::string_view, std::string>> &texts);
} // namespace strut
