// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/coarse_solver.h"
#include "source/solvers/multigrid/smoother_bound.h"

#include <strut/backend/backend.h>
#include <strut/backend/tangent_elements.h>
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

  /// Take on new stiffness; of the levels one after another, finest first. Collective.
  ///
  /// @param factors  of the elements of the finest mesh, on the backend; must stay until all levels
  /// have them
  virtual void set_stiffness(const Array<double> &factors) = 0;

  /// The same with Lame's parameters of the elements of the finest mesh, as
  /// ElasticityOperator::set_lame(). Throws SolverFailure where they cannot be. Collective.
  virtual void set_lame(const Array<double> &lambda, const Array<double> &mu) = 0;

  /// The same with tangents, as ElasticityOperator::set_tangents(): coarser levels have one for
  /// each element, the mean over points and children. Throws SolverFailure where they cannot be.
  /// Collective.
  virtual void set_tangents(unsigned int n_points, const TangentFields &fields) = 0;

  /// y = K x for x that vanishes on constrained DoFs; anything on those.
  virtual void apply(Array<Number> &x, Array<Number> &y) = 0;

  /// r -= K x if that takes less time than apply() and a difference, under the same conditions;
  /// else false, and r is as it was. The same on all ranks.
  virtual bool subtract(Array<Number> &, Array<Number> &)
  {
    return false;
  }

  /// The 3x3 blocks of all nodes, `[n_nodes][6]`, those of constrained DoFs included.
  virtual void diagonal_blocks(Array<Number> &blocks) = 0;

  /// A bound of the eigenvalues of B K for the stiffness of now, B the inverse of the blocks, over
  /// all ranks. Collective.
  virtual double smoother_bound() const = 0;

  /// Give the stiffness of the coarsest level to its solver, which factors it or begins to. Throws
  /// SolverFailure.
  /// Collective.
  virtual void factor(CoarseSolver<Number> &solver) const = 0;
};

/// The way in which coarse operators are made.
enum class CoarseOperators
{
  rediscretised, ///< mean stiffness of the children on the coarse mesh: no matrices
  galerkin,      ///< element matrices `P^T K P`, 300 numbers per coarse element
  aggregation    ///< mean stiffness on the second level, and smoothed aggregation of its matrix
};

/// The operators of a hierarchy, finest first: that of its mesh, then those of the first n_coarser
/// of the coarser ones. They refer to one another: keep them together. Collective.
///
/// @param strategy  of those without matrices
/// @param on_coarse_levels  how those without matrices integrate there
/// @param solids  if set, set_lame() alone is called, with solids between these
template <typename Number>
std::vector<std::unique_ptr<LevelOperator<Number>>>
make_level_operators(CoarseOperators kind,
                     Backend &backend,
                     const Communicator &communicator,
                     const Structure &structure,
                     std::size_t n_coarser,
                     const std::string &strategy,
                     VolumetricIntegration on_coarse_levels     = VolumetricIntegration::full,
                     const std::optional<ExtremeSolids> &solids = {});
} // namespace strut
