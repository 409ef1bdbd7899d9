// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "cuda/base/scratch.h"
#include "source/comparison/assembly/mesh_arrays.h"
#include "source/comparison/assembly/neighbour_matrix.h"

namespace strut::cuda
{
/// The first part of stage 1: finds the elements around each node, ascending, as
/// `nodes_per_element * element + local`. The numbers are the same in every run. The work is
/// submitted, not waited for.
/// @param taken  zeros, `[n_nodes]`
/// @param unsorted  work, `[n_incidences]`
/// @param result  with `incidence_begin` of zeros and `incidences`, which are filled
void find_elements(const Context &context,
                   const ConnectivityArrays &connectivity,
                   Scratch &scratch,
                   Array<LocalIndex> &taken,
                   Array<LocalIndex> &unsorted,
                   NeighbourMatrix &result);

/// Returns the length of the longest range `[begin[i], begin[i + 1])`, i < n, and waits for it.
template <typename Index>
std::size_t
longest_range(const Context &context, Scratch &scratch, const Array<Index> &begin, std::size_t n);
} // namespace strut::cuda
