// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Some elements of all ranks with their nodes, which are renumbered rank after rank.
struct PartOfMesh
{
  std::vector<LocalIndex> elements; ///< elements of this rank, ascending
  /// Owned nodes of this rank that elements of any rank use, ascending.
  std::vector<LocalIndex> nodes;

  /// Number of elements over all ranks, and the number of this rank's first element.
  std::uint64_t n_elements = 0, first_element = 0;
  /// Number of nodes over all ranks, and the number of this rank's first node.
  std::uint64_t n_nodes = 0, first_node = 0;
  std::size_t n_owned_nodes = 0;        ///< number of owned nodes of the mesh
  std::vector<std::uint64_t> of_ghosts; ///< numbers of the mesh's ghosts

  /// Number over all ranks of a node of one of the elements.
  std::uint64_t number(const LocalIndex node) const
  {
    return node < n_owned_nodes
             ? first_node + static_cast<std::uint64_t>(
                              std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin())
             : of_ghosts[node - n_owned_nodes];
  }
};

/// The visible elements among those that count: elements with a face that has no counting neighbour
/// on any rank. Collective. @param counts  `[n_elements]`, 1 or 0
PartOfMesh outer_part(const Communicator &communicator,
                      const ElementMesh &mesh,
                      const std::vector<std::uint8_t> &counts,
                      int n_threads);
} // namespace strut
