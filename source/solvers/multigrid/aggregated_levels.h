// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/block_matrix.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace strut
{
/// How the cycle of AggregatedLevels is built.
struct AggregationSettings
{
  unsigned int smoothing_steps = 3;
  unsigned int cycles          = 1;    ///< on the first level
  std::size_t direct_dofs      = 1500; ///< DoFs that the direct solver takes
};

/// Multigrid by smoothed aggregation for a matrix of 3x3 blocks, on the host (Vanek, Mandel and
/// Brezina 1996): nodes are gathered into aggregates, of which each has six rigid motions on the
/// next level, and so on. Aggregates and patterns are those of the mesh; with each matrix come new
/// prolongators `P = (I - w D^-1 A) T`, smoothed with the matrix itself so that they follow the
/// design, and new coarse matrices `P^T A P`.
///
/// D are the blocks of nodes, w = 4/3 of the largest eigenvalue of `D^-1 A`: both follow any scale
/// of the rows, so that void of 1e-9 beside solid gets as smooth functions as solid.
class AggregatedLevels
{
public:
  /// @param pattern  of the matrix, symmetric, with its diagonal
  /// @param points  of the nodes, best in the order of a sweep: aggregates of a regular grid are
  ///   cubes then
  /// @param constrained  `[3 n_nodes]`, 1 where rows and columns of the matrix are zero
  AggregatedLevels(int n_threads,
                   BlockPattern &&pattern,
                   const std::vector<std::array<double, 3>> &points,
                   const std::vector<std::uint8_t> &constrained,
                   const AggregationSettings &settings);
  ~AggregatedLevels();

  /// The matrix of the first level, for its numbers.
  BlockMatrix<3, 3> &matrix();

  /// Follow the numbers of the matrix. Throws SolverFailure if they are not positive definite.
  void renew();

  /// x = M^-1 r, about A^-1 r, with a symmetric M: one or more V-cycles.
  void solve(const std::vector<double> &r, std::vector<double> &x);

  /// DoFs of the levels, finest first.
  std::vector<std::size_t> n_dofs() const;

  /// Bytes of all that is kept.
  std::size_t bytes() const;

private:
  struct Levels;
  std::unique_ptr<Levels> levels_;
};
} // namespace strut
