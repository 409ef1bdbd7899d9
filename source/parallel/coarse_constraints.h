// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

namespace strut
{
/// Calls body(fine node, coarse node of the transfer) for nodes of a fine element that are at the
/// same place. Child c has its vertex c where the parent has it. An element that was not refined
/// has all of its vertices there, and so has one with a linear element on the same mesh.
template <typename Body>
void for_each_common_node(const ElementMesh &fine,
                          const LevelTransfer &transfer,
                          const std::size_t e,
                          const Body &body)
{
  const std::size_t n = fine.n_elements;
  if (transfer.is_linear())
    {
      for (std::size_t v = 0; v < fine.type.n_vertices; ++v)
        body(fine.connectivity[v * n + e], transfer.parent_nodes[e][v]);
      return;
    }
  const std::size_t octant = transfer.octants[e];
  const bool whole         = octant == LevelTransfer::whole;
  for (std::size_t c = whole ? 0 : octant; c <= (whole ? 7 : octant); ++c)
    body(fine.connectivity[c * n + e], transfer.parent_nodes[transfer.parents[e]][c]);
}

/// Calls body(fine node, coarse node of the transfer) for each element of this rank.
template <typename Body>
void for_each_common_node(const ElementMesh &fine, const LevelTransfer &transfer, const Body &body)
{
  for (std::size_t e = 0; e < fine.n_elements; ++e)
    for_each_common_node(fine, transfer, e, body);
}

/// Sets the components per node of a coarse mesh, and its constrained DoFs with value 0, from the
/// next finer mesh by the rules of MeshHierarchy. Collective.
void constrain_coarse_dofs(const Communicator &communicator,
                           const ElementMesh &fine,
                           const LevelTransfer &transfer,
                           ElementMesh &coarse);

/// Moves the nodes of a coarse mesh to the same vertices of the next finer one, which may have
/// moved since the refinement. Collective.
void place_coarse_nodes(const Communicator &communicator,
                        const ElementMesh &fine,
                        const LevelTransfer &transfer,
                        ElementMesh &coarse);
} // namespace strut
