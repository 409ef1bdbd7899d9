// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "cuda/base/scratch.h"
#include "source/assembly/mesh_arrays.h"
#include "source/assembly/neighbour_matrix.h"

namespace strut::cuda
{
/// The first part of stage 1: the elements around each node, by one sort of all pairs of a node and an
/// element, a radix sort of CUB. It is stable, so the elements of a node are ascending in every run.
class ElementLists
{
public:
  /// Takes the memory: four numbers per pair.
  ElementLists(const Context &context,
               Memory &memory,
               const ConnectivityArrays &connectivity,
               Scratch &scratch);

  /// The same numbers in every run. Submitted, not waited for.
  void sort();

  /// begin[n] = first pair of node n, `[n_nodes + 1]`; after sort()
  void find_begins(Array<LocalIndex> &begin);

  /// The pairs in the order of the nodes, as `nodes_per_element * element + local`; after sort().
  Array<LocalIndex> take_incidences();

private:
  const Context &context_;
  const ConnectivityArrays &connectivity_;
  Scratch &scratch_;

  /// Each with a second array to sort into.
  Array<LocalIndex> nodes_, other_nodes_, incidences_, other_incidences_;
};

/// The longest of the ranges `[begin[i], begin[i + 1])`, i < n; waits for it.
template <typename Index>
std::size_t
longest_range(const Context &context, Scratch &scratch, const Array<Index> &begin, std::size_t n);
} // namespace strut::cuda
