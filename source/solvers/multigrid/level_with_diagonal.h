// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/multigrid_operations.h"
#include "source/solvers/coarse/coarse_solver.h"
#include "source/solvers/multigrid/level_operator.h"

#include <strut/backend/backend.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace strut
{
/// A level of multigrid with an additional diagonal matrix: `K + S`, S >= 0.
template <typename Number>
class LevelWithDiagonal : public LevelOperator<Number>
{
public:
  /// Makes the level.
  /// @param which  name of S for the coarse solver
  /// @param mesh  of the level
  LevelWithDiagonal(const AddedDiagonal which,
                    Backend &backend,
                    const ElementMesh &mesh,
                    std::unique_ptr<LevelOperator<Number>> K)
    : backend_(backend)
    , operations_(backend.multigrid_operations<Number>(mesh.n_components))
    , n_nodes_(mesh.n_nodes)
    , K_(std::move(K))
    , which_(which)
    , added_(backend.memory(), mesh.n_dofs())
  {}

  /// Sets S.
  /// @param values  on all DoFs, zero on constrained and dependent ones
  void set_diagonal(const Array<Number> &values)
  {
    backend_.template vector_operations<Number>().copy(added_.size(), values, added_);
  }

  void set(const Stiffness &stiffness) override
  {
    K_->set(stiffness);
  }
  void apply(Array<Number> &x, Array<Number> &y) override
  {
    K_->apply(x, y);
    operations_.add_springs(added_.size(), added_, x, y);
  }
  void diagonal_blocks(Array<Number> &blocks) override
  {
    K_->diagonal_blocks(blocks);
    operations_.add_to_blocks(n_nodes_, added_, blocks);
  }
  /// Bound of K. It holds for K + S as S is in the blocks: x^T (K + S) x <= bound x^T D x + x^T S
  /// x, and the bound is not below 1.
  double smoother_bound() const override
  {
    return K_->smoother_bound();
  }
  void factor(CoarseSolver<Number> &solver) const override
  {
    solver.set_diagonal(which_, added_);
    K_->factor(solver);
  }

protected:
  Backend &backend_;
  const MultigridOperations<Number> &operations_;
  const std::size_t n_nodes_; ///< nodes of this rank, ghosts included
  std::unique_ptr<LevelOperator<Number>> K_;
  const AddedDiagonal which_;
  Array<Number> added_; ///< S on all DoFs, ghosts included
};
} // namespace strut
