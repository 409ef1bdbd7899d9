// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::plugin
{
/// Write the reference of all entries of a deck and of the operator strategies as Markdown, in place of
/// the file if there is one: doc/parameters.md comes from here. It lists what this build has; that in
/// doc/ is from one with CUDA. On rank 0 only.
void write_reference(const std::string &file_name);
} // namespace strut::plugin
