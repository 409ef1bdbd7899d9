// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/studies/assembly/assembly_results.h"
#include "plugin/studies/report/table.h"

namespace strut::plugin
{
/// The results as people read them.
Table mesh_table(const AssemblyResults &results);
Table memory_table(const AssemblyResults &results);

/// Steps and sums of the stages of one element type.
Table stage_table(const AssemblyResults &results, const std::string &element);

/// The whole generation: neighbours by the fastest sort, indices, preparation and values.
Table generation_table(const AssemblyResults &results);

/// The solves with the matrices.
Table generated_solve_table(const AssemblyResults &results);

/// Write <folder>/<deck>.assembly.csv, .memory.csv and .assembly.md, and with solves .solve.csv, each whole or not at all.
void write_reports(const std::string &folder, const AssemblyResults &results);
} // namespace strut::plugin
