// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/assembly/assembly_results.h"
#include "plugin/studies/report/table.h"

namespace strut
{
/// Sections with the tables that fit a terminal: meshes, memory of the matrices, whole generations,
/// and solves if there are any.
std::vector<Section> overview(const AssemblyResults &results);

/// Writes <folder>/<deck>.assembly.csv, .memory.csv and .assembly.md, and .solve.csv if there are
/// solves. Each file is written completely or not at all.
void write_reports(const std::string &folder, const AssemblyResults &results);
} // namespace strut
