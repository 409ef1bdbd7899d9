// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string_view>

namespace strut::plugin
{
/// The files in this folder that pages are made of: CMake makes page_files.cc of them.
extern const std::string_view page_html;      ///< the frame, with {{...}} where the rest goes
extern const std::string_view page_css;       ///< its looks
extern const std::string_view page_viewer_js; ///< the part
extern const std::string_view page_curves_js; ///< the curves
extern const std::string_view page_js;        ///< everything else

// Of the page that compares two runs, which has the same looks and curves.
extern const std::string_view comparison_html; ///< the frame
extern const std::string_view comparison_js;   ///< everything else
} // namespace strut::plugin
