// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace strut
{
/// Numbers of the elements that do not depend on the partition of the mesh. A number consists of
/// the coarse cell and the child taken on each level, three bits each.
class CellKeys
{
public:
  CellKeys() = default;

  /// @param coarse_cells  in the order of the elements
  /// @param n_refinements  levels from the coarse cells to the elements
  /// @param first  the number of this rank's first element among those of all ranks
  CellKeys(std::vector<std::uint32_t> coarse_cells,
           const unsigned int n_refinements,
           const std::uint64_t first)
    : coarse_cells_(std::move(coarse_cells)), n_bits_(3 * n_refinements), first_(first)
  {}

  std::uint32_t coarse_cell(const std::size_t e) const
  {
    return coarse_cells_[(first_ + e) >> n_bits_];
  }
  std::uint64_t operator[](const std::size_t e) const
  {
    const std::uint64_t children = (first_ + e) & ((std::uint64_t(1) << n_bits_) - 1);
    return std::uint64_t(coarse_cell(e)) << n_bits_ | children;
  }

private:
  std::vector<std::uint32_t> coarse_cells_;
  unsigned int n_bits_ = 0;
  std::uint64_t first_ = 0;
};
} // namespace strut
