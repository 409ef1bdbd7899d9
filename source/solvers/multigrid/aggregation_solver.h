// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/assembled_stiffness.h"
#include "source/solvers/coarse/coarse_solver.h"
#include "source/solvers/multigrid/aggregated_levels.h"

#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
class Backend;

/// Approximate solver for the stiffness system of a mesh, by cycles of smoothed aggregation
/// (AggregatedLevels) in double on the host. Each rank has the matrix and the cycles of the whole
/// mesh. All copies between the backend and the host are here.
template <typename Number>
class AggregationSolver : public CoarseSolver<Number>
{
public:
  /// Collective.
  /// @param mesh  this rank's part, with its supports, without dependent DoFs
  AggregationSolver(Backend &backend,
                    const Communicator &communicator,
                    const ElementMesh &mesh,
                    const Material &material,
                    const AggregationSettings &settings);

  void set_diagonal(AddedDiagonal which, const Array<Number> &values) override;
  bool set(const Stiffness &stiffness) override;
  void set_matrices(const Array<Number> &packed) override;
  void solve(const Array<Number> &r, Array<Number> &x) override;

  const AggregatedLevels &levels() const
  {
    return levels_;
  }

private:
  std::vector<double> gather(const Array<Number> &values) const;
  void renew();

  Backend &backend_;
  const Communicator communicator_;
  const std::size_t n_elements_;  ///< elements of this rank
  const std::size_t n_owned_;     ///< owned DoFs
  std::size_t first_ = 0, n_ = 0; ///< first DoF of this rank, and DoFs of all ranks
  AssembledStiffness stiffness_;
  AggregatedLevels levels_;
  /// Diagonals, by AddedDiagonal: `[n]` in the order of the matrix, or empty.
  std::vector<double> added_[2];
  std::vector<double> x_;
};
} // namespace strut
