// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/value_stage.h"

#include <strut/base/host_device.h>

#include <cstdint>

namespace strut
{
/// Selects the entries of an element matrix that go into the global one. Rows and columns of
/// constrained DoFs are left out, except for their diagonal, if it is kept. Passed by value.
struct ConstraintView
{
  const std::uint8_t *bits; ///< MeshArrays::constrained; null if there are no constraints
  bool keep_diagonal;

  ConstraintView(const MeshArrays &mesh, const ConstrainedDiagonal diagonal)
    : bits(mesh.constrained_dofs.empty() ? nullptr : mesh.constrained.data())
    , keep_diagonal(diagonal == ConstrainedDiagonal::kept)
  {}

  /// Returns the constrained components of a node, a bit each.
  STRUT_HOST_DEVICE unsigned int of_node(const std::size_t node) const
  {
    return bits == nullptr ? 0u : bits[node];
  }

  /// Whether entry (i, j) of a block between two nodes is assembled.
  ///
  /// @param row_bits,  column_bits  of_node() of the two nodes
  /// @param same_node  whether the two nodes are the same
  STRUT_HOST_DEVICE bool takes(const unsigned int row_bits,
                               const int i,
                               const unsigned int column_bits,
                               const int j,
                               const bool same_node) const
  {
    return ((row_bits >> i | column_bits >> j) & 1u) == 0u ||
           (keep_diagonal && same_node && i == j);
  }
};
} // namespace strut
