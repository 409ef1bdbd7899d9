// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "cuda/base/scratch.h"
#include "source/comparison/assembly/mesh_arrays.h"
#include "source/comparison/assembly/neighbour_matrix.h"
#include "source/comparison/assembly/stage_report.h"

/// The second part of stage 1, from the element lists to the rows. Each NeighbourSort is one
/// function in one file; neighbours.cu lists them.
namespace strut::cuda
{
/// The input of these functions, and their result.
struct RowTask
{
  Backend &backend;
  const Context &context;
  const ConnectivityArrays &connectivity;
  Scratch &scratch;
  std::size_t longest_list; ///< largest number of nodes of all elements of one node
  StageReport *report;      ///< may be null
  NeighbourMatrix &result;  ///< contains the element lists, and `begin` of zeros

  std::size_t nodes_per_element() const
  {
    return static_cast<std::size_t>(connectivity.nodes_per_element);
  }
  /// Number of nodes of all elements of all nodes, with repetitions.
  std::size_t n_listed() const
  {
    return nodes_per_element() * connectivity.n_incidences();
  }
  /// Bytes of the connectivity.
  double bytes_in() const
  {
    return sizeof(LocalIndex) * static_cast<double>(connectivity.n_incidences());
  }
  double bytes_of_lists() const
  {
    return sizeof(LocalIndex) * static_cast<double>(n_listed());
  }
};

/// Length of the longest list of nodes that a warp sorts, which has to fit into its part of shared
/// memory.
constexpr std::size_t longest_warp_list = 2048;

void sort_by_warps(const RowTask &task);
void sort_segments(const RowTask &task);
void sort_pairs(const RowTask &task);
void sort_sequentially(const RowTask &task);

/// Copies for each node the nodes of all its elements, with repetitions. The list of node n begins
/// at `npe incidence_begin[n]`.
/// @param lists  `[n_listed]`
void copy_lists(const RowTask &task, LocalIndex *lists);

/// Makes the last steps for rows that are at the beginnings of their lists, in `lists`, with the
/// length of row n in `begin[n + 1]`. These are the scan of the lengths, and the copy of the rows
/// to their places.
void collect_rows(const RowTask &task, const LocalIndex *lists);
} // namespace strut::cuda
