// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <vector>

#include "source/base/filled_vector.h"

namespace strut
{
/// Marks components of nodes, `[n_nodes]`: bit c of entry n is set if component c of node n is
/// among these DoFs.
inline std::vector<std::uint8_t> constrained_components(const std::vector<LocalIndex> &dofs,
                                                        const std::size_t n_nodes,
                                                        const unsigned int n_components = 3)
{
  auto flags = cpu::filled_vector<std::uint8_t>(cpu::default_n_threads(), n_nodes);
  for (const LocalIndex dof : dofs)
    flags[dof / n_components] |= static_cast<std::uint8_t>(1u << dof % n_components);
  return flags;
}
} // namespace strut
