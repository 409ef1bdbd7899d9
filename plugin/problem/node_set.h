// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

#include <deal.II/base/point.h>
#include <deal.II/base/types.h>

#include <strut/plugin/caught.h>

#include <array>
#include <map>
#include <vector>

namespace strut::plugin
{
class Region;

/// A node that this rank owns.
struct Node
{
  std::array<dealii::types::global_dof_index, 3> dofs; ///< of its x, y, z displacement
  dealii::Point<3> location;
};

/// Nodes by the index of their first DoF: each once, in a fixed order.
using NodeSet = std::map<dealii::types::global_dof_index, Node>;

/// The locally owned nodes of a region: those of boundary faces with its boundary ids, or of cells
/// with its material ids, or any, at which its expression holds. Faces and cells of the ghost layer
/// are looked at too, so an owned node is found whoever owns the cell.
NodeSet select_nodes(const dealii::DoFHandler<3, 3> &dof_handler, const Region &region);

/// This rank's nodes of the set, for the log.
Caught caught_nodes(const NodeSet &nodes,
                    const dealii::DoFHandler<3, 3> &dof_handler,
                    const Region &region);

/// The locally owned nodes where `|x_component - value| < tolerance`.
NodeSet select_plane(const dealii::DoFHandler<3, 3> &dof_handler,
                     unsigned int component,
                     double value,
                     double tolerance);

/// Their first DoFs.
std::vector<dealii::types::global_dof_index> first_dofs(const NodeSet &nodes);
} // namespace strut::plugin
