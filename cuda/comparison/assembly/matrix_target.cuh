// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/constraint_view.h"
#include "source/comparison/assembly/sparse_pattern.h"

namespace strut::cuda
{
/// The global matrix as the kernels of stage 3 see it, passed by value.
template <typename Number>
struct MatrixTarget
{
  NeighbourView neighbours;
  EntryPlaces places;
  ConstraintView constraints;
  Number *values;

  /// Add `factor` times a 3x3 block to that of two nodes by atomics: nine entries, without those of
  /// constrained DoFs. The neighbour is searched in the row of the node. `entry(i, j)` returns the
  /// entries of the block.
  template <typename Entry>
  __device__ void
  add(const LocalIndex row, const LocalIndex column, const Number factor, const Entry &entry) const
  {
    const unsigned int row_bits    = constraints.of_node(row);
    const unsigned int column_bits = constraints.of_node(column);
    Number *const block            = values + places.block(row, neighbours.slot(row, column));
    const std::size_t row_stride   = places.row_stride(row);
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j)
        if (constraints.takes(row_bits, i, column_bits, j, row == column))
          atomicAdd(block + i * row_stride + j * places.column_stride(), factor * entry(i, j));
  }
};
} // namespace strut::cuda
