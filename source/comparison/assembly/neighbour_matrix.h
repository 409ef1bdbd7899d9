// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/host_device.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>

namespace strut
{
/// Pointers to the neighbour rows for a kernel or a loop; passed by value.
struct NeighbourView
{
  const std::uint64_t *begin; ///< `[n_nodes + 1]`
  const LocalIndex *nodes;    ///< `[begin[n_nodes]]`

  /// Number of neighbours of a node, itself included.
  STRUT_HOST_DEVICE std::size_t length(const std::size_t node) const
  {
    return static_cast<std::size_t>(begin[node + 1] - begin[node]);
  }

  /// The position of `neighbour` in the row of `node`, from 0, by binary search. The row must
  /// contain it.
  STRUT_HOST_DEVICE std::size_t slot(const std::size_t node, const LocalIndex neighbour) const
  {
    const LocalIndex *const row = nodes + begin[node];
    std::size_t low = 0, high = length(node) - 1;
    while (low < high)
      {
        const std::size_t middle = (low + high) / 2;
        if (row[middle] < neighbour)
          low = middle + 1;
        else
          high = middle;
      }
    return low;
  }
};

/// Stage 1 of the matrix generation (Sanfui and Sharma 2020): for each node the nodes that share an
/// element with it, itself included, ascending. Sizes and indices of COO, CSR and ELL depend on
/// this alone. A node without elements has an empty row.
struct NeighbourMatrix
{
  std::size_t n_nodes     = 0;
  std::size_t n_pairs     = 0; ///< pairs of neighbours, which are the entries of `nodes`
  std::size_t longest_row = 0; ///< neighbours of one node at most

  Array<std::uint64_t>
    begin;                 ///< `[n_nodes + 1]`, nInd of Sanfui and Sharma (2020), with a leading 0
  Array<LocalIndex> nodes; ///< `[n_pairs]`, nNum of Sanfui and Sharma (2020)

  /// The element lists: the elements around each node, ascending, as
  /// `nodes_per_element * element + local`. `local` is the index of the node in the element.
  Array<LocalIndex> incidence_begin; ///< `[n_nodes + 1]`
  Array<LocalIndex> incidences;      ///< `[n_elements * nodes_per_element]`

  NeighbourView view() const
  {
    return {begin.data(), nodes.data()};
  }
};

/// The method of stage 1 to make a sorted row without repetitions from the nodes of all elements
/// around a node.
enum class NeighbourSort
{
  /// One warp sorts the list of a node in shared memory; lists that are too long use `segmented`
  warp,
  segmented, ///< one segmented sort by the device's library (CUB) of all lists, which are in memory
  pairs,     ///< one sort by the device's library (CUB) of all pairs of nodes that share an element

  /// One thread sorts each list in memory, as in algorithm 5 of Sanfui and Sharma (2020).
  sequential
};

/// The most bytes that stage 1 holds, the result included, where the lists are in memory. With npe
/// nodes per element it takes `4 npe^2` bytes per element for the lists, as much for the result,
/// and as much for a segmented sort. A sort of the pairs takes `16 npe^2` for its keys.
double neighbour_memory_estimate(std::size_t n_nodes,
                                 std::size_t n_elements,
                                 int nodes_per_element,
                                 NeighbourSort sort);
} // namespace strut
