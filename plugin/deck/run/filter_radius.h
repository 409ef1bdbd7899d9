// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/mesh_summary.h>

#include <string>

namespace strut::plugin
{
/// Throw the EntryError of a radius that no filter of this mesh can use: larger than the mesh, or so small that
/// its weights are lost to rounding. 0 is no filter.
void check_filter_radius(double radius, const MeshSummary &summary);

/// The radius in edges of the elements, with a NOTE where it does little or too much; lines for the log.
std::string describe_filter_radius(double radius, const MeshSummary &summary);
} // namespace strut::plugin
