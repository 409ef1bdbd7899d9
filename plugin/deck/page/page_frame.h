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

// The files in this folder from which pages are made; CMake makes page_files.cc from them.
extern const std::string_view page_html;      ///< the frame, with {{...}} for the other parts
extern const std::string_view page_css;       ///< the style sheet
extern const std::string_view page_common_js; ///< helpers of all scripts
extern const std::string_view page_viewer_js; ///< the viewer of the part
extern const std::string_view page_curves_js; ///< the curves
extern const std::string_view page_js;        ///< all other scripts

// Files of the pages of a problem and of the place of a fault. They have the same style sheet and
// viewer.
extern const std::string_view structure_html; ///< the frame
extern const std::string_view structure_js;   ///< all other scripts

// Files of the page that compares two runs. It has the same style sheet and curves.
extern const std::string_view comparison_html; ///< the frame
extern const std::string_view comparison_js;   ///< all other scripts
} // namespace strut
