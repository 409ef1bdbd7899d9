// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Output of the rows that the gather kernel has summed.
#pragma once

#include "cuda/base/parallel_loop.cuh"
#include "source/comparison/assembly/constraint_view.h"
#include "source/comparison/assembly/sparse_pattern.h"

namespace strut::cuda
{
constexpr int warp_size         = 32;
constexpr int gather_block_size = 128;
constexpr int warps_per_block   = gather_block_size / warp_size;

/// Slots of an incidence in memory, an even number, so that they are copied in words.
constexpr int slot_stride(const int npe)
{
  return npe + npe % 2;
}

/// The arrays that the kernel reads and writes, passed by value.
template <typename Number>
struct GatherView
{
  NeighbourView neighbours;
  EntryPlaces places;
  ConstraintView constraints;
  std::size_t n_nodes;
  const LocalIndex *__restrict__ incidence_begin;
  const LocalIndex *__restrict__ incidences;
  const std::uint16_t *__restrict__ slots;
  const Number *__restrict__ matrices;
  const double *__restrict__ factors;
  Number *__restrict__ values;
  std::size_t width; ///< width of ELL
};

/// Returns entry (i, j) of the block of a node and its neighbour, with the constraints.
template <typename Number>
__device__ Number constrained(const GatherView<Number> &view,
                              const std::size_t node,
                              const unsigned int i,
                              const LocalIndex neighbour,
                              const unsigned int j,
                              const Number sum)
{
  const bool same_node = neighbour == node;
  if (view.constraints.takes(
        view.constraints.of_node(node), i, view.constraints.of_node(neighbour), j, same_node))
    return sum;
  return same_node && i == j ? Number(1) : Number(0);
}

/// Writes a window of the rows of the nodes of a block into ELL, and the padding there. The threads
/// of a column write its rows, which are adjacent.
template <typename Number>
__device__ void write_columns(const GatherView<Number> &view,
                              const std::size_t first_node,
                              const unsigned int first_slot,
                              const unsigned int window,
                              const Number *const sums)
{
  constexpr unsigned int n_rows = 3 * warps_per_block;
  const unsigned int n_columns =
    min(3 * window, static_cast<unsigned int>(view.width) - 3 * first_slot);
  Number *const out = view.values + view.places.block(first_node, first_slot);
  for (unsigned int t = threadIdx.x; t < n_rows * n_columns; t += gather_block_size)
    {
      const unsigned int column = t / n_rows, r = t % n_rows, i = r % 3, j = column % 3;
      const std::size_t node = first_node + r / 3;
      if (node >= view.n_nodes)
        continue;
      const unsigned int length = static_cast<unsigned int>(view.neighbours.length(node));
      const unsigned int count  = first_slot < length ? min(window, length - first_slot) : 0;
      Number value              = Number(0);
      if (column < 3 * count)
        {
          const LocalIndex neighbour =
            view.neighbours.nodes[view.neighbours.begin[node] + first_slot + column / 3];
          value = constrained(
            view, node, i, neighbour, j, sums[r / 3 * 9 * window + i * 3 * count + column]);
        }
      out[column * view.places.n_rows + r] = value;
    }
}

/// Writes a window of the rows of a node into COO or CSR, from shared memory, `[3][3 count]`.
template <typename Number>
__device__ void write_rows(const GatherView<Number> &view,
                           const std::size_t node,
                           const unsigned int first_slot,
                           const unsigned int count,
                           const int lane,
                           const Number *const sums)
{
  const LocalIndex *const row = view.neighbours.nodes + view.neighbours.begin[node];
  bool is_free                = true; // Whether the block of rows has no constrained DoF.
  if (view.constraints.bits != nullptr)
    for (unsigned int s = lane; s < count; s += warp_size) // The node is one of its neighbours.
      is_free = is_free && view.constraints.of_node(row[first_slot + s]) == 0u;
  const bool whole = count == view.neighbours.length(node);
  if (__all_sync(0xffffffffu, is_free) && whole) // Nine blocks of rows without a gap.
    {
      Number *const out = view.values + view.places.block(node, 0);
      for (unsigned int t = lane; t < 9 * count; t += warp_size)
        out[t] = sums[t];
      return;
    }
  const std::size_t row_stride = view.places.row_stride(node);
  Number *const out            = view.values + view.places.block(node, first_slot);
  for (unsigned int t = lane; t < 9 * count; t += warp_size)
    {
      const unsigned int i = t / (3 * count), column = t % (3 * count), j = column % 3;
      out[i * row_stride + column] =
        constrained(view, node, i, row[first_slot + column / 3], j, sums[t]);
    }
}
} // namespace strut::cuda
