// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/base/faulty_elements.h"
#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// Removes the files that show faults of an earlier start. Only rank 0 does something.
void remove_places_of_faults(const RunContext &run);

/// Writes `<deck>-where.vtu` and `<deck>-where.html` into the output directory; only rank 0 does
/// something. Never throws, because there is already an error to report. The run remembers the
/// files for summary.json.
/// @return a line for the log; empty if nothing was drawn
std::string draw_place(RunContext &run, const FaultyElements &place);

/// Elements around the nodes with the largest residuals after a failed solve. Rank 0 gets those of
/// all ranks. Null for large meshes, and if forces depend on densities. Collective.
std::shared_ptr<const FaultyElements> largest_residuals(const RunContext &run,
                                                        const Optimizer &optimizer);

/// Draws the smaller pieces of a design in several pieces. Only the page is written, because the
/// result has the fields. Collective.
/// @return as draw_place()
std::string draw_smaller_pieces(RunContext &run, const std::vector<double> &densities);
} // namespace strut
