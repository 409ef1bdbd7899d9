// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The entities (nodes, elements) that a rank exchanges with other ranks. Local numbering has owned
/// entities first, then the ghosts, grouped by owner in the order of `neighbours`.
struct HaloPattern
{
  struct Neighbour
  {
    int rank = 0;
    std::vector<std::uint32_t> send; ///< owned entities that are ghosts on that rank
    std::uint32_t ghosts_begin = 0;  ///< first of our ghosts owned by that rank
    std::uint32_t ghosts_end   = 0;  ///< one past the last
  };

  std::vector<Neighbour> neighbours; ///< ascending rank
};
} // namespace strut
