// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// Text between tags or in an attribute of HTML; bytes that are no UTF-8 become U+FFFD.
std::string html_escaped(const std::string &text);

/// JSON in which no tag of HTML begins: '<' is in strings alone.
std::string between_tags(const std::string &json);

/// The frame with each {{name}} replaced once: no name that comes with a text is.
/// @param texts  in the order of their names in the frame
std::string filled_page(std::string_view frame,
                        const std::vector<std::pair<std::string_view, std::string>> &texts);
} // namespace strut::plugin
