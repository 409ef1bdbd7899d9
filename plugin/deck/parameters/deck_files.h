// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::plugin
{
/// The file itself if it can be read. Otherwise throws Error: missing (with the files whose names
/// are near), a directory (with the parameter files in it), or not readable.
std::string checked_deck_file(const std::string &file_name);

/// The file that `include name` means: beside the including file, or else in the working directory.
/// @param place  "file:line" of the include line, for the message
std::string find_included_file(const std::string &name,
                               const std::string &including_file,
                               const std::string &place);

/// The contents of such a file. Throws Error if it is longer than a deck may be, as a mesh often is.
std::string deck_text(const std::string &file_name);
} // namespace strut::plugin
