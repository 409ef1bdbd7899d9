// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Returns all bytes of a file. Throws Error with the path and the system's reason if it cannot be
/// read.
std::string file_contents(const std::string &file_name);
} // namespace strut
