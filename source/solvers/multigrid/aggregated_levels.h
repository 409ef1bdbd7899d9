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
/// Settings of the cycle of AggregatedLevels.
struct AggregationSettings
{
  unsigned int smoothing_steps = 3;
  unsigned int cycles          = 1;    ///< cycles on the first level
  std::size_t direct_dofs      = 1500; ///< largest number of DoFs for the direct solver
};

/// Multigrid by smoothed aggregation for a matrix of 3x3 blocks, on the host (Vanek, Mandel and
/// Brezina 1996). Nodes are gathered into aggregates, each of which has six rigid motions on the
/// next level, and so on.
///
/// Aggregates and patterns depend on the mesh alone. Each matrix gets new prolongators
/// `P = (I - w D^-1 A) T`, smoothed with the matrix itself so that they follow the design, and new
/// coarse matrices `P^T A P`.
///
/// D are the blocks of nodes, w is 4/3 over the largest eigenvalue of `D^-1 A`. Both follow any
/// scale of the rows, so void of 1e-9 beside solid gets functions as smooth as solid.
class AggregatedLevels
{
public:
  /// Make the levels.
  /// @param pattern  of the matrix, symmetric, with its diagonal
  /// @param points  of the nodes, best in the order of a sweep: then aggregates of a regular grid
  ///   are cubes
  /// @param constrained  `[3 n_nodes]`, 1 where rows and columns of the matrix are zero
  AggregatedLevels(int n_threads,
                   BlockPattern &&pattern,
                   const std::vector<std::array<double, 3>> &points,
                   const std::vector<std::uint8_t> &constrained,
                   const AggregationSettings &settings);
  ~AggregatedLevels();

  /// The matrix of the first level, whose numbers the caller sets.
  BlockMatrix<3, 3> &matrix();

  /// Update the levels after the numbers of the matrix have changed. Throws SolverFailure if the
  /// matrix is not positive definite.
  void renew();

  /// Compute x = M^-1 r, an approximation of A^-1 r with a symmetric M, by one or more V-cycles.
  void solve(const std::vector<double> &r, std::vector<double> &x);

  /// DoFs of the levels, finest first.
  std::vector<std::size_t> n_dofs() const;

  /// Bytes of all data.
  std::size_t bytes() const;

private:
  struct Levels;
  std::unique_ptr<Levels> levels_;
};
} // namespace strut
