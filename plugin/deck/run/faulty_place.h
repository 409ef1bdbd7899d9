// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/base/faulty_elements.h"
#include "plugin/deck/run/run_parts.h"

namespace strut::plugin
{
/// Remove those of an earlier start. On rank 0; the others do nothing.
void remove_pictures_of_faults(const RunContext &run);

/// Write `<deck>-where.vtu` and `<deck>-where.png` into the output directory, on rank 0; the others do nothing. Never throws: there is
/// an error to be told already.
/// @return a line for the log; empty if nothing was drawn; the run knows the files, for summary.json
std::string draw_place(RunContext &run, const FaultyElements &place);

/// The elements that are furthest from equilibrium after a solve that failed: those around the nodes with the largest residuals.
/// Of all ranks, on rank 0; null for large meshes, and where forces follow densities. Collective.
std::shared_ptr<const FaultyElements> largest_residuals(const RunContext &run,
                                                        const Optimizer &optimizer);

/// Draw the smaller pieces of a design that is in several: the picture alone, since the result has the fields. Collective.
/// @return as draw_place()
std::string draw_smaller_pieces(RunContext &run, const std::vector<double> &densities);
} // namespace strut::plugin
