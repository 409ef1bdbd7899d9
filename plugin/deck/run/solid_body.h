// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_parts.h"
#include "plugin/deck/run/run_plan.h"

namespace strut
{
/// Whether the deck limits a response that needs displacements or modes. Amounts of material need
/// none.
bool has_limits_to_solve(const DeckParameters &parameters);

/// Compares the limits of the deck with the values of the body whose design elements all have the
/// density 1. This takes one solve for each load case, and the modes. A separate solver is used, so
/// the state of the run does not change. The result is empty without such limits, and if a solve
/// fails, with a NOTE in the log. Collective.
/// @throws EntryError for a limit that the body breaks and that less material breaks by more
std::vector<RunSummary::SolidValue> solve_solid_body(RunContext &run, const RunPlan &plan);

/// The name of the first limit that the solid body breaks by more than one per cent, or nothing.
std::string limit_that_solid_breaks(const std::vector<RunSummary::SolidValue> &values);
} // namespace strut
