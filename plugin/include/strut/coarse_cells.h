// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace strut
{
/// Position of an element in the coarse cell that it was refined from. Vertex 0 is in units of the
/// element's edge; n is the number of elements along an edge of the cell.
struct PlaceInCoarseCell
{
  std::uint32_t cell = 0;
  std::array<unsigned int, 3> at{};
  unsigned int n = 1;
};

/// A face of a coarse cell.
struct CoarseFace
{
  std::uint32_t cell  = 0;
  std::uint8_t number = 0; ///< in deal.II's order
};

/// The coarse cells of a mesh, in the order of its file or generator, with their materials and
/// boundaries.
struct CoarseCells
{
  static constexpr std::uint32_t interior = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint32_t> materials;
  std::vector<std::array<std::uint32_t, 6>>
    boundaries; ///< Boundary ids of the six faces, `interior` where a face has none.
};
} // namespace strut
