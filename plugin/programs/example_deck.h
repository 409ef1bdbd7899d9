// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::plugin
{
/// Write a commented deck with every entry at its default and one support and one load to start from
/// (a cantilever). Refuses to overwrite a file. On rank 0 only.
void write_example_deck(const std::string &file_name);
} // namespace strut::plugin
