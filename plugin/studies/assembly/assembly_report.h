// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/studies/assembly/assembly_results.h"
#include "plugin/studies/report/table.h"

namespace strut
{
/// Tables of the results for readers.
Table mesh_table(const AssemblyResults &results);
Table memory_table(const AssemblyResults &results);

/// Table of steps and sums of the stages of one element type.
Table stage_table(const AssemblyResults &results, const std::string &element);

/// Table of whole generations: neighbours by the fastest sort, indices, preparation and values.
Table generation_table(const AssemblyResults &results);

/// Table of the solves with the matrices.
Table generated_solve_table(const AssemblyResults &results);

/// Writes <folder>/<deck>.assembly.csv, .memory.csv and .assembly.md, and .solve.csv if there are
/// solves. Each file is written completely or not at all.
void write_reports(const std::string &folder, const AssemblyResults &results);
} // namespace strut
