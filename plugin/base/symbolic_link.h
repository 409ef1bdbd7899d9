// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Message if a path is a broken symbolic link, such as "a symbolic link to 'b.prm', which does not
/// exist"; empty otherwise.
std::string broken_link(const std::string &path);
} // namespace strut
