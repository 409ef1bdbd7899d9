// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/comparison/assembly/matrix_product.h"

namespace strut::cuda
{
/// Calls write(node, i, j, K_(node i)(node j)) on the device for the upper half, j >= i, of each
/// node's diagonal block. The value is 0 at nodes without elements.
template <typename Number, typename Write>
void for_diagonal_blocks(const Context &context,
                         const GeneratedMatrix<Number> &matrix,
                         const Write &write)
{
  const NeighbourView rows   = matrix.neighbours.view();
  const EntryPlaces places   = matrix.pattern.places(matrix.neighbours);
  const Number *const values = matrix.values.data();
  parallel_for(context, matrix.neighbours.n_nodes, [=] __device__(const std::size_t node) {
    const bool empty = rows.length(node) == 0;
    const Number *const at =
      empty ? nullptr : values + places.block(node, rows.slot(node, static_cast<LocalIndex>(node)));
    const std::size_t row_stride = places.row_stride(node);
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        write(node, i, j, empty ? Number(0) : at[i * row_stride + j * places.column_stride()]);
  });
}
} // namespace strut::cuda
