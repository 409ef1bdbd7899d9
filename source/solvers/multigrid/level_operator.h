// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/coarse_solver.h"
#include "source/solvers/multigrid/smoother_bound.h"

#include <strut/backend/backend.h>
#include <strut/backend/stiffness.h>
#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>
#include <strut/solvers/structure.h>

#include <memory>
#include <optional>
#include <string>

namespace strut
{
/// The stiffness on one level of multigrid, over all ranks. Its vectors are shared: all ranks that
/// have a node have the same bits there, owner or not.
template <typename Number>
class LevelOperator
{
public:
  virtual ~LevelOperator() = default;

  /// Sets the stiffness, level by level from the finest one. Coarser levels have one point for each
  /// element, the mean over points and children. Throws SolverFailure where the level does not take
  /// the law. Collective.
  ///
  /// @param stiffness  of the elements of the finest mesh; must stay until all levels have read it
  virtual void set(const Stiffness &stiffness) = 0;

  /// Compute y = K x for x that vanishes on constrained DoFs; y is undefined there.
  virtual void apply(Array<Number> &x, Array<Number> &y) = 0;

  /// Compute r -= K x under the conditions of apply(), if that is faster than apply() and a
  /// difference. Otherwise returns false and leaves r unchanged. The result is the same on all
  /// ranks.
  virtual bool subtract(Array<Number> &, Array<Number> &)
  {
    return false;
  }

  /// Compute the blocks of all nodes (NodalBlock), those of constrained DoFs included.
  virtual void diagonal_blocks(Array<Number> &blocks) = 0;

  /// A bound of the eigenvalues of B K for the current stiffness, with B the inverse of the blocks,
  /// over all ranks. For elements other than hexahedra of eight nodes it is loose: their number of
  /// nodes. Collective.
  virtual double smoother_bound() const = 0;

  /// Give the stiffness of the coarsest level to its solver, which factorises it or begins to.
  /// Throws SolverFailure. Collective.
  virtual void factor(CoarseSolver<Number> &solver) const = 0;
};

/// Kinds of coarse operators.
enum class CoarseOperators
{
  rediscretised, ///< mean stiffness of the children on the coarse mesh: no matrices
  galerkin,      ///< element matrices `P^T K P`, 300 numbers per coarse element
  aggregation    ///< mean stiffness on the second level, and smoothed aggregation of its matrix
};

/// Makes the operators of a hierarchy, finest first: that of its mesh, then those of the first
/// n_coarser of the coarser meshes. They refer to one another and must be kept together.
/// Collective.
///
/// @param strategy  strategy of operators without matrices for hexahedra of eight nodes
/// @param on_coarse_levels  formulation of operators without matrices on the coarser levels
/// @param solids  if set, the law is Law::lame, with solids between these
template <typename Number>
std::vector<std::unique_ptr<LevelOperator<Number>>>
make_level_operators(CoarseOperators kind,
                     Backend &backend,
                     const Communicator &communicator,
                     const Structure &structure,
                     std::size_t n_coarser,
                     const std::string &strategy,
                     Formulation on_coarse_levels               = Formulation::full_integration,
                     const std::optional<ExtremeSolids> &solids = {});
} // namespace strut
