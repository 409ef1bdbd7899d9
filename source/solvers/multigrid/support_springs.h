// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/multigrid/grid_transfer.h"
#include "source/solvers/multigrid/level_with_diagonal.h"

#include <functional>
#include <memory>

namespace strut
{
/// The supports of a level, as the next coarser one needs them.
template <typename Number>
struct LevelSupports
{
  const ElementMesh &mesh;
  const Array<std::uint8_t> &constrained;    ///< constrained components of each node
  const Array<LocalIndex> &constrained_dofs; ///< constrained DoFs as a list
  const Array<Number> *springs;              ///< for each DoF; null if there are none
};

/// A rediscretised coarse level whose supports are those of the finest one: `K + diag(springs)`.
///
/// A support may end between coarse nodes. A function of the coarse level then moves where the
/// finer level is held, and interpolation cuts it to zero there. The coarse operator does not
/// include the energy of that cut. It is too soft, so its corrections overshoot. Each held fine DoF
/// a therefore acts on its free parents I by a spring, with w the weights of the interpolation:
///
///     s_I = sum_a w_aI t_a,   t_a = K_aa where a is held, else the spring of a.
///
/// With springs the Galerkin operator is bounded by a multiple of this one for any supports
/// (doc/theory.md, section 5). Where supports end at coarse nodes, there are no springs.
template <typename Number>
class SupportSprings : public LevelWithDiagonal<Number>
{
public:
  /// Make the level.
  /// @param supports  of the level itself, without springs
  /// @param K  its operator without springs
  SupportSprings(Backend &backend,
                 const LevelSupports<Number> &supports,
                 std::unique_ptr<LevelOperator<Number>> K);

  /// Whether a coarse level needs springs: it has a free DoF with held children, or with children
  /// on springs. Collective.
  /// @param on_fine, on_coarse  work, `[n_dofs]` each
  static bool needed(Backend &backend,
                     const Communicator &communicator,
                     const LevelSupports<Number> &fine,
                     const LevelSupports<Number> &coarse,
                     GridTransfer<Number> &transfer,
                     Array<Number> &on_fine,
                     Array<Number> &on_coarse);

  /// Update the springs for a new stiffness.
  /// @param blocks  of the finer level, not inverted
  /// @param on_fine  work, `[n_dofs]`
  /// @param condense  adds values on dependent DoFs of this level to their masters
  void update(const LevelSupports<Number> &fine,
              const Array<Number> &blocks,
              GridTransfer<Number> &transfer,
              Array<Number> &on_fine,
              const std::function<void(Array<Number> &)> &condense);

  /// Springs, one for each DoF; zero on constrained DoFs.
  const Array<Number> &springs() const
  {
    return this->added_;
  }

private:
  const LevelSupports<Number> supports_;
};
} // namespace strut
