// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/node_set.h"

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>

#include <strut/plugin/region.h>

#include <cmath>

namespace strut::plugin
{
namespace
{
using ActiveCell = dealii::DoFHandler<3, 3>::active_cell_iterator;

/// Offer the vertices of all cells that this rank knows to `visit(cell, vertex)`, and put those for
/// which it returns true and which this rank owns into the set.
template <typename Predicate>
NodeSet collect(const dealii::DoFHandler<3, 3> &dof_handler, const Predicate &predicate)
{
  NodeSet nodes;
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (!cell->is_artificial())
      for (const unsigned int v : cell->vertex_indices())
        if (dof_handler.locally_owned_dofs().is_element(cell->vertex_dof_index(v, 0)) &&
            predicate(cell, v))
          nodes[cell->vertex_dof_index(v, 0)] = {{{cell->vertex_dof_index(v, 0),
                                                   cell->vertex_dof_index(v, 1),
                                                   cell->vertex_dof_index(v, 2)}},
                                                 cell->vertex(v)};
  return nodes;
}

} // namespace

NodeSet select_nodes(const dealii::DoFHandler<3, 3> &dof_handler, const Region &region)
{
  return collect(dof_handler, [&](const ActiveCell &cell, const unsigned int v) {
    return region.has_cell(*cell) && (!region.has_boundary_ids() || region.has_vertex(*cell, v)) &&
           region.holds_at(cell->vertex(v));
  });
}

Caught caught_nodes(const NodeSet &nodes,
                    const dealii::DoFHandler<3, 3> &dof_handler,
                    const Region &region)
{
  Caught caught;
  for (const auto &[key, node] : nodes)
    {
      caught.count();
      caught.include(node.location);
    }
  bool whole_boundary = true;
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned() && cell->at_boundary())
      for (const unsigned int f : cell->face_indices())
        if (cell->at_boundary(f))
          {
            whole_boundary = whole_boundary && region.has_face(*cell, f) && region.has_cell(*cell);
            for (const unsigned int v : cell->face(f)->vertex_indices())
              whole_boundary = whole_boundary && region.holds_at(cell->face(f)->vertex(v));
          }
  caught.set_whole_boundary(whole_boundary);
  return caught;
}

NodeSet select_plane(const dealii::DoFHandler<3, 3> &dof_handler,
                     const unsigned int component,
                     const double value,
                     const double tolerance)
{
  return collect(dof_handler, [&](const ActiveCell &cell, const unsigned int v) {
    return std::abs(cell->vertex(v)[component] - value) < tolerance;
  });
}

std::vector<dealii::types::global_dof_index> first_dofs(const NodeSet &nodes)
{
  std::vector<dealii::types::global_dof_index> dofs;
  dofs.reserve(nodes.size());
  for (const auto &[key, node] : nodes)
    dofs.push_back(node.dofs[0]);
  return dofs;
}
} // namespace strut::plugin
