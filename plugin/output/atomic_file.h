// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <string_view>

namespace strut::plugin
{
/// Create a folder and those above it; one that exists is fine. Throws Error with the path and the
/// system's reason.
void create_folder(const std::string &folder);

/// Write a file as "<file_name>.tmp" and rename it: whoever reads `file_name`, at any time and after
/// any kill, finds the old contents or the new ones, whole. Throws Error with the path and the
/// system's reason; the old file is then untouched.
void write_file_atomically(const std::string &file_name, std::string_view contents);
} // namespace strut::plugin
