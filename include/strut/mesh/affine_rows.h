// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Degrees of freedom of this rank that depend on others: hanging nodes, periodicity, no normal
/// flux.
///
///     u_(dofs_k) = sum_j weights_j u_(masters_j) + values_k,   offsets_k <= j < offsets_(k+1)
///
/// There is one row for each dependent DoF of the elements of this rank, on owned nodes and on
/// ghosts, ascending. No master is constrained itself. Masters are owned or ghosts; distant masters
/// are nodes that belong to no element of this rank.
struct AffineRows
{
  std::vector<std::uint32_t> dofs;
  std::vector<std::uint32_t> offsets; ///< `[n_rows + 1]`; empty without rows
  std::vector<std::uint32_t> masters;
  std::vector<double> weights;
  std::vector<double> values; ///< `[n_rows]`; the values of ghosts are ignored

  bool empty() const
  {
    return dofs.empty();
  }
};
} // namespace strut
