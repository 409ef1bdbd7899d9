// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/output/run_summary.h"
#include "plugin/deck/run/run_parts.h"
#include "plugin/deck/run/run_plan.h"

namespace strut
{
/// Whether the deck limits a response that needs displacements or modes, in a constraint or in the
/// objective. Amounts of material need none.
bool has_limits_to_solve(const DeckParameters &parameters);

/// Compares the limits of the deck with the values of the body whose design elements all have the
/// density 1. This takes one solve for each load case, and the modes. A separate solver is used, so
/// the state of the run does not change. The result is empty without such limits, and if a solve
/// fails, with a NOTE in the log. Collective.
/// @throws EntryError for a limit that the body breaks and that less material breaks by more
std::vector<RunSummary::SolidValue> solve_solid_body(RunContext &run, const RunPlan &plan);

/// Volume times density of the design elements. Collective.
double volume_of_design(const Communicator &communicator,
                        const ElementMesh &mesh,
                        const std::vector<double> &densities);

/// The density from which design elements are solid if the solid ones have the volume of the
/// design, as near as elements of the same density allow. Collective.
double threshold_of_volume(const Communicator &communicator,
                           const ElementMesh &mesh,
                           const std::vector<double> &densities);

/// The limits of a deck beside the values of the last design as solid elements and void.
struct SolidElements
{
  std::vector<RunSummary::SolidValue> values; ///< empty without limits that need solves
  double threshold = 0.;                      ///< elements with this density or more are solid

  std::string describe() const; ///< lines for the log
  std::string fault() const;    ///< limits broken by more than two per cent, and advice; or nothing
};

/// Replaces the densities of the design elements by 0 and 1, at threshold_of_volume(), and
/// evaluates the limits. The state solver of the optimizer is used: its displacements are of this
/// design afterwards. If a solve fails, the values are empty and the log has a NOTE. Collective.
SolidElements solve_as_solid_elements(RunContext &run, const Optimizer &optimizer);

/// The name of the first limit that the solid body breaks by more than one per cent, or nothing.
std::string limit_that_solid_breaks(const std::vector<RunSummary::SolidValue> &values);
} // namespace strut
