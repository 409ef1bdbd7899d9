// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/assembly/mesh_arrays.h"
#include "source/assembly/neighbour_matrix.h"

/// The parts of stage 1 that work with lists in memory: for each node all nodes of its elements, each as
/// often as it comes. That of node n begins at `list_begin[n]`, `[n_nodes + 1]`.
namespace strut::cuda
{
/// Make the lists from the element lists.
void copy_lists(const Context &context,
                const ConnectivityArrays &connectivity,
                const NeighbourMatrix &neighbours,
                LocalIndex *lists,
                std::uint64_t *list_begin);

/// lengths[n + 1] = number of different entries of the sorted list of node n
void count_different(const Context &context,
                     std::size_t n_nodes,
                     const std::uint64_t *list_begin,
                     const LocalIndex *lists,
                     std::uint64_t *lengths);

/// Sort each list with one thread, and leave out duplicates, as Sanfui and Sharma (2020, algorithm 5) do. The row is
/// at the beginning of the list then, and is lengths[n + 1] long.
void sort_sequentially(const Context &context,
                       std::size_t n_nodes,
                       const std::uint64_t *list_begin,
                       LocalIndex *lists,
                       std::uint64_t *lengths);

/// The different entries of the sorted lists to their rows in `result`.
/// @param are_rows  the lists begin with their rows: sort_sequentially()
void copy_rows(const Context &context,
               bool are_rows,
               const std::uint64_t *list_begin,
               const LocalIndex *lists,
               NeighbourMatrix &result);
} // namespace strut::cuda
