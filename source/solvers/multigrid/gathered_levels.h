// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/parallel/all_gather.h"
#include "source/parallel/whole_levels.h"
#include "source/solvers/coarse/coarse_solver.h"
#include "source/solvers/multigrid/multigrid.h"

namespace strut
{
/// Approximate solver for the system of a level, by cycles on it and the levels behind it. Each
/// rank has these levels as a whole, and gathers the residual once for all of them. The cycles need
/// no messages.
template <typename Number>
class GatheredLevels : public CoarseSolver<Number>
{
public:
  /// Collective.
  /// @param coarser  meshes of this rank
  /// @param level  the first of them to gather
  /// @param n_cycles  cycles for each solve
  GatheredLevels(Backend &backend,
                 const Communicator &communicator,
                 const MeshHierarchy &coarser,
                 std::size_t level,
                 const Material &material,
                 const MultigridSettings &settings,
                 unsigned int n_cycles);

  void set_diagonal(AddedDiagonal which, const Array<Number> &values) override;
  bool set(const Stiffness &stiffness) override;
  void set_matrices(const Array<Number> &packed) override;
  void finish() override;
  bool only_submits() const override
  {
    return multigrid_.only_submits();
  }
  void solve(const Array<Number> &r, Array<Number> &x) override;

private:
  Backend &backend_;
  const Communicator communicator_;
  AllGather<Number> dofs_;
  AllGather<double> elements_;
  const WholeLevels levels_;
  Multigrid<Number> multigrid_;
  const unsigned int n_cycles_;
  const std::size_t n_elements_; ///< elements of this rank
  Array<Number> added_[2];       ///< Diagonals, by AddedDiagonal: `[n]` of all ranks, or empty
};
} // namespace strut
