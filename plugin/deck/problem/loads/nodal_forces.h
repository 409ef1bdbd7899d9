// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/load.h>

#include <functional>
#include <string>

namespace strut
{
/// Adds a force, as a function of the place, to each node of the load's region.
/// @return the loaded entities: "17 nodes"
/// @throws EntryError if there is no such node. Collective.
std::string
add_nodal_forces(const LoadContext &context,
                 const Load &load,
                 const std::function<dealii::Tensor<1, 3>(const dealii::Point<3> &)> &force);

/// Returns what to add to the description of equal parts on the nodes of quadratic elements, or
/// nothing.
std::string note_on_equal_parts(const LoadContext &context);

/// Whether a load in all acts on the boundary faces of its region. If it has none (an edge, a
/// point, nodes inside), or nodes beside them, it acts on its nodes. Collective.
bool acts_on_faces(const LoadContext &context, const Load &load);
} // namespace strut
