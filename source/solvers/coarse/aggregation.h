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
/// Nodes gathered into aggregates: a node and its neighbours, about 3 x 3 x 3 in a regular grid.
struct Aggregates
{
  static constexpr std::uint32_t none = 0xffffffffu;

  std::vector<std::uint32_t> of_node; ///< `none`: of a node that is left out
  std::size_t n = 0;
};

/// Aggregates of the nodes of a graph (Vanek, Mandel and Brezina 1996): nodes whose neighbours are
/// all free take them; nodes that remain join a neighbour's aggregate; then the rest among
/// themselves. In the order of their numbers.
/// @param graph  symmetric, with its diagonal
/// @param left_out  nodes that get none
Aggregates aggregate(const BlockPattern &graph, const std::vector<bool> &left_out);

/// The six rigid motions on nodes of B degrees of freedom, `[n_nodes][B][6]`.
using RigidModes = std::vector<double>;

/// Of displacements at points `[n][3]`: three translations and three rotations about their centre,
/// scaled to the size of the body. Zero on constrained degrees of freedom, `[3 n]`.
RigidModes rigid_modes(const std::vector<std::array<double, 3>> &points,
                       const std::vector<std::uint8_t> &constrained);

/// Orthonormal functions of each aggregate that span its rigid motions, `T`: six columns per
/// aggregate, with zeros where it has fewer independent ones (a single node, nodes in a line,
/// supports); and the motions in these coordinates, `T coarse_modes = modes`.
struct TentativeProlongator
{
  std::vector<double> blocks; ///< `[n_nodes][B][6]`, in the column of the node's aggregate
  RigidModes coarse_modes;    ///< `[n_aggregates][6][6]`
};

/// @param B  degrees of freedom of a node
TentativeProlongator
tentative_prolongator(int n_threads, const Aggregates &aggregates, int B, const RigidModes &modes);
} // namespace strut
