// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/run/run_parts.h"
#include "plugin/deck/run/run_plan.h"

namespace strut
{
/// Starts the backend, sets up the problem for solves without an optimization, and checks the
/// memory. The log gets the description of both. Collective; throws Error.
RunPlan plan_analysis(RunContext &run);

/// Solves the structure of a deck with all design elements solid. The log gets what
/// analyse_design() says of a design. Collective; throws Error, SolverFailure.
/// @param plan  of a run whose backend is made
void analyse_solid_body(RunContext &run, const RunPlan &plan);

/// Solves the structure of a deck for the design of a result, which may be from another mesh. The
/// design is analysed as it is, by the interpolation of the deck, and as solid elements with the
/// same volume. The log gets compliance, volume, largest stresses and displacement of both, and
/// what named points have. Collective; throws Error, SolverFailure.
/// @param result  a .vtu file
void analyse_design(RunContext &run, const std::string &result);
} // namespace strut
