// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/galerkin_matrices.h"
#include "source/parallel/halo_sum.h"
#include "source/solvers/multigrid/level_operator.h"
#include <strut/parallel/halo_exchange.h>

namespace strut
{
/// A coarse level with Galerkin's element matrices. A parent and its children may belong to
/// different ranks. Geometry and supports of the finest level are exchanged once, matrices in each
/// set().
template <typename Number>
class GalerkinLevel : public LevelOperator<Number>
{
public:
  /// Make a level.
  /// @param fine  the next finer mesh
  /// @param finer  operator of the finer mesh; null if that is the finest, which has no matrices
  /// @param next  the next coarser level, null if there is none
  GalerkinLevel(Backend &backend,
                const Communicator &communicator,
                const ElementMesh &fine,
                const CoarseLevel &coarse,
                const CoarseLevel *next,
                const Material &material,
                const GalerkinLevel *finer);

  void set(const Stiffness &stiffness) override; ///< Throws SolverFailure for all but factors.
  void apply(Array<Number> &x, Array<Number> &y) override;
  void diagonal_blocks(Array<Number> &blocks) override;
  double smoother_bound() const override;
  void factor(CoarseSolver<Number> &solver) const override;

private:
  void set_from_finest(const Array<double> &factors);

  Backend &backend_;
  Communicator communicator_;
  const Material material_;
  const GalerkinLevel *finer_;
  const std::size_t n_fine_; ///< elements of this rank on the finer level
  std::unique_ptr<GalerkinMatrices<Number>> matrices_;
  HaloSum<Number> node_sum_, block_sum_;

  // Only on the level below the finest.
  SubdividedElements subdivided_;
  HaloExchange<double> factor_halo_;
  Array<double> factors_; ///< in the layout of the children; used only with several ranks

  // Only on levels below others.
  Array<LocalIndex> children_;

  // Only on levels above others, with several ranks; packed_ on the coarsest level as well.
  std::unique_ptr<HaloExchange<Number>> matrix_halo_;
  mutable Array<Number> packed_; ///< `[n_stored][300]`
};
} // namespace strut
