// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "cuda/base/scratch.h"
#include "source/assembly/mesh_arrays.h"
#include "source/assembly/neighbour_matrix.h"

namespace strut::cuda
{
/// The first part of stage 1: the elements around each node, ascending, as
/// `nodes_per_element * element + local`; the same numbers in every run. Submitted, not waited for.
/// @param taken  zeros, `[n_nodes]` @param unsorted  to work in, `[n_incidences]`
/// @param result  with `incidence_begin` of zeros and `incidences`, which are filled
void find_elements(const Context &context,
                   const ConnectivityArrays &connectivity,
                   Scratch &scratch,
                   Array<LocalIndex> &taken,
                   Array<LocalIndex> &unsorted,
                   NeighbourMatrix &result);

/// The longest of the ranges `[begin[i], begin[i + 1])`, i < n; waits for it.
template <typename Index>
std::size_t
longest_range(const Context &context, Scratch &scratch, const Array<Index> &begin, std::size_t n);
} // namespace strut::cuda
