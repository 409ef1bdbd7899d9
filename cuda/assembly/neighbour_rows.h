// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "cuda/base/scratch.h"
#include "source/assembly/mesh_arrays.h"
#include "source/assembly/neighbour_matrix.h"
#include "source/assembly/stage_report.h"

/// The second part of stage 1: from the element lists to the rows. Each NeighbourSort is one
/// function and one file; neighbours.cu has the list of them.
namespace strut::cuda
{
/// The input of these functions, and their result.
struct RowTask
{
  Backend &backend;
  const Context &context;
  const ConnectivityArrays &connectivity;
  Scratch &scratch;
  std::size_t longest_list; ///< nodes of all elements of one node, at most
  StageReport *report;      ///< may be null
  NeighbourMatrix &result;  ///< has its element lists, and `begin` of zeros

  std::size_t nodes_per_element() const
  {
    return static_cast<std::size_t>(connectivity.nodes_per_element);
  }
  /// Nodes of all elements of all nodes.
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

/// Longest list of nodes that a warp sorts: it has to fit its part of shared memory.
constexpr std::size_t longest_warp_list = 2048;

void sort_by_warps(const RowTask &task);
void sort_segments(const RowTask &task);
void sort_pairs(const RowTask &task);
void sort_sequentially(const RowTask &task);

/// For each node the nodes of all its elements, each as often as it comes. The list of node n
/// begins at `npe incidence_begin[n]`.
/// @param lists  `[n_listed]`
void copy_lists(const RowTask &task, LocalIndex *lists);

/// The last steps for rows that are at the beginnings of their lists, in `lists`, with the length
/// of row n in `begin[n + 1]`: the scan of the lengths, and the rows to their places.
void collect_rows(const RowTask &task, const LocalIndex *lists);
} // namespace strut::cuda
