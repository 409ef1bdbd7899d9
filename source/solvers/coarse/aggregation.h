// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/block_matrix.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Aggregates of nodes: a node and its neighbours, about 3 x 3 x 3 in a regular grid.
struct Aggregates
{
  static constexpr std::uint32_t none = 0xffffffffu;

  /// Aggregate of each node; `none` for a node that is left out.
  std::vector<std::uint32_t> of_node;
  std::size_t n = 0;
};

/// Returns aggregates of the nodes of a graph (Vanek, Mandel and Brezina 1996). First, nodes whose
/// neighbours are all free form an aggregate with them. Then remaining nodes join a neighbour's
/// aggregate. Last, the rest form aggregates among themselves. Each pass is in the order of the
/// nodes' numbers.
/// @param graph  symmetric, with its diagonal
/// @param left_out  nodes that are in no aggregate
Aggregates aggregate(const BlockPattern &graph, const std::vector<bool> &left_out);

/// The six rigid motions on nodes of B degrees of freedom, `[n_nodes][B][6]`.
using RigidModes = std::vector<double>;

/// Returns the rigid motions of points `[n][3]`: three translations and three rotations about their
/// centre, scaled to the size of the body. They are zero on constrained degrees of freedom.
/// @param constrained  `[3 n]`
RigidModes rigid_modes(const std::vector<std::array<double, 3>> &points,
                       const std::vector<std::uint8_t> &constrained);

/// Orthonormal functions `T` of each aggregate that span its rigid motions, and the motions in
/// these coordinates, `T coarse_modes = modes`. An aggregate has six columns. Columns are zero
/// where it has fewer independent motions: for a single node, nodes in a line, or supports.
struct TentativeProlongator
{
  std::vector<double> blocks; ///< `[n_nodes][B][6]`, in the columns of the node's aggregate
  RigidModes coarse_modes;    ///< `[n_aggregates][6][6]`
};

/// Computes the tentative prolongator.
/// @param B  degrees of freedom of a node
TentativeProlongator
tentative_prolongator(int n_threads, const Aggregates &aggregates, int B, const RigidModes &modes);
} // namespace strut
