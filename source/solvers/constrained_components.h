// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <vector>

namespace strut
{
/// Bit c of entry n: component c of node n is constrained; `[n_nodes]`, ghosts included.
inline std::vector<std::uint8_t> constrained_components(const ElementMesh &mesh)
{
  std::vector<std::uint8_t> flags(mesh.n_nodes, 0);
  for (const LocalIndex dof : mesh.constrained_dofs)
    flags[dof / 3] |= static_cast<std::uint8_t>(1u << dof % 3);
  return flags;
}
} // namespace strut
