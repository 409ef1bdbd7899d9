// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/assembly/mesh_arrays.h"
#include "source/assembly/neighbour_matrix.h"

namespace strut::cuda
{
/// Longest list of nodes that a warp sorts: it has to fit its part of shared memory.
constexpr std::size_t longest_warp_list = 2048;

/// Make the row of each node with a warp, in shared memory, from the element lists: the list of all nodes
/// of all elements, which the other ways write to memory and read several times, never leaves the
/// processor. A row is left where that list would begin.
///
/// @param longest_list  `npe` times the elements around a node, at most; not above longest_warp_list
/// @param rows  `[npe n_incidences]` @param lengths  `[n_nodes]`
void make_rows(const Context &context,
               const ConnectivityArrays &connectivity,
               const NeighbourMatrix &neighbours,
               std::size_t longest_list,
               LocalIndex *rows,
               std::uint64_t *lengths);

/// The rows that make_rows() left to their places.
void collect_rows(const Context &context,
                  std::size_t nodes_per_element,
                  const LocalIndex *rows,
                  NeighbourMatrix &result);
} // namespace strut::cuda
