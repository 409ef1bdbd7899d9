// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_parts.h"
#include "plugin/deck/run/run_plan.h"

namespace strut::plugin
{
/// Whether the deck limits something that takes displacements or modes: amounts of material take none.
bool has_limits_to_solve(const DeckParameters &parameters);

/// The limits of the deck beside the values of the body whose design elements all have the density 1: one solve for each load
/// case, and its modes. By a solver of its own, so that nothing is left of it. Empty without such limits, and with a NOTE in
/// the log if a solve fails. Collective.
/// @throws EntryError for a limit that the body breaks and that less material breaks by more
std::vector<RunSummary::SolidValue> solve_solid_body(RunContext &run, const RunPlan &plan);
} // namespace strut::plugin
