// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut::plugin
{
/// Some elements of all ranks with their nodes, which are numbered anew: those of one rank after those of the other.
struct PartOfMesh
{
  std::vector<LocalIndex> elements; ///< of this rank, ascending
  std::vector<LocalIndex>
    nodes; ///< of this rank's own, ascending, those that elements of any rank have

  std::uint64_t n_elements    = 0,
                first_element = 0;           ///< of all ranks; the number of this rank's first
  std::uint64_t n_nodes = 0, first_node = 0; ///< likewise
  std::size_t n_owned_nodes = 0;             ///< of the mesh
  std::vector<std::uint64_t> of_ghosts;      ///< numbers of the mesh's ghosts

  /// Of a node of one of the elements, over all ranks.
  std::uint64_t number(const LocalIndex node) const
  {
    return node < n_owned_nodes
             ? first_node + static_cast<std::uint64_t>(
                              std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin())
             : of_ghosts[node - n_owned_nodes];
  }
};

/// The elements that count and have a face behind which there is none that counts, on any rank: what is seen of them.
/// Collective. @param counts  `[n_elements]`, 1 or 0
PartOfMesh outer_part(const Communicator &communicator,
                      const ElementMesh &mesh,
                      const std::vector<std::uint8_t> &counts,
                      int n_threads);
} // namespace strut::plugin
