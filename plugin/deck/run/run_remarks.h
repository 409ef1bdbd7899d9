// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/run/run_plan.h"

namespace strut
{
/// Remarks on the numbers in the deck for the user, one per line. Collective.
std::string remarks_on(const RunPlan &plan);

/// Throws EntryError for a radius that no filter of this mesh can use. It is larger than the mesh,
/// or so small that rounding removes its weights. The radius 0 means no filter.
void check_filter_radius(double radius, const MeshSummary &summary);

/// The radius in edges of elements as lines for the log, with a NOTE if it has little or too much
/// effect.
std::string describe_filter_radius(double radius, const MeshSummary &summary);
} // namespace strut
