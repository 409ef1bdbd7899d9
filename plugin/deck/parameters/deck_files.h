// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Returns the file name if the file can be read. Otherwise throws Error: the file is missing (with
/// similar file names), a directory (with its parameter files), or not readable.
std::string checked_deck_file(const std::string &file_name);

/// The file that `include name` means: in the folder of the including file, otherwise in the
/// working directory.
/// @param place  "file:line" of the include line, for the message
std::string find_included_file(const std::string &name,
                               const std::string &including_file,
                               const std::string &place);

/// The contents of a file. Throws Error if it is longer than a deck may be, as meshes often are.
std::string deck_text(const std::string &file_name);
} // namespace strut
