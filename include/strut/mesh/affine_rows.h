// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Degrees of freedom that follow others of this rank: hanging nodes, periodicity, no normal flux.
///
///     u_(dofs_k) = sum_j weights_j u_(masters_j) + values_k,   offsets_k <= j < offsets_(k+1)
///
/// A row for each dependent DoF of the elements of this rank, on owned nodes and on ghosts, ascending. No
/// master is constrained itself, in whichever way. Masters are owned or ghosts; those far away are nodes
/// of no element here.
struct AffineRows
{
  std::vector<std::uint32_t> dofs;
  std::vector<std::uint32_t> offsets; ///< `[n_rows + 1]`; empty without rows
  std::vector<std::uint32_t> masters;
  std::vector<double> weights;
  std::vector<double> values; ///< `[n_rows]`; those of ghosts count for nothing

  bool empty() const
  {
    return dofs.empty();
  }
};
} // namespace strut
