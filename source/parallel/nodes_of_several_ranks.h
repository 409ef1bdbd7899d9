// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Marks the nodes of this rank that other ranks have, too: `[n_nodes]`, 1 or 0.
inline std::vector<std::uint8_t> nodes_of_several_ranks(const ElementMesh &mesh)
{
  std::vector<std::uint8_t> is_shared(mesh.n_nodes, 0);
  std::fill(is_shared.begin() + static_cast<std::ptrdiff_t>(mesh.n_owned_nodes),
            is_shared.end(),
            std::uint8_t(1));
  for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
    for (const std::uint32_t node : neighbour.send)
      is_shared[node] = 1;
  return is_shared;
}
} // namespace strut
