// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::plugin
{
/// Why a path is a symbolic link that leads to no file, "a symbolic link to 'b.prm', which does not exist"; empty
/// if it is none, or leads to one.
std::string broken_link(const std::string &path);
} // namespace strut::plugin
