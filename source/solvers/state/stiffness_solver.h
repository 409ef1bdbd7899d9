// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/krylov/conjugate_gradient.h"
#include "source/solvers/krylov/preconditioner_sequence.h"

#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/state_solver.h>

#include <memory>
#include <string>

namespace strut
{
/// Solves `K u = f` with one stiffness operator and one preconditioner, for any number of f. It
/// uses conjugate gradients, handles prescribed displacements, and runs cycles in a lower precision
/// on request.
template <typename Number>
class StiffnessSolver
{
public:
  /// Makes a solver with its fallbacks. A solve with a preconditioner in float (Precision::mixed,
  /// Number = double) stagnates if it does not halve its residual in 100 iterations, or ends above
  /// the tolerance. It then continues with the next preconditioner of the sequence, and the report
  /// counts the iterations of both.
  ///
  /// A solve that breaks down is restarted with the next preconditioner. The same happens if a
  /// preconditioner cannot be updated for a new operator. A warning says so.
  ///
  /// @param matrix  operator of the structure; must outlive the solver
  StiffnessSolver(const Execution &execution,
                  ElasticityOperator<Number> &matrix,
                  const Structure &structure,
                  const StateSettings &settings);

  /// Adds the memory that the solver keeps, without the operator.
  ///
  /// @param settings  settings of an available strategy and preconditioner
  /// @param lifted  whether displacements are prescribed
  static void plan(MemoryPlan &plan,
                   const StateSettings &settings,
                   const StrategyLists &strategies,
                   const MeshSize &size,
                   bool lifted);

  /// Updates the preconditioner after the operator's factors, `[n_elements]`, were set to
  /// `factors`. It is needed once before the first solve. Collective.
  void update(const Array<double> &factors);

  /// Completes update(), which on a GPU overlaps with other work. Only after this call
  /// preconditioner() is certainly the one of the next solve. Throws SolverFailure. Collective.
  void finish();

  /// Solves `K u = f` on the free DoFs, with u as prescribed on the others. If it throws
  /// SolverFailure, u is zero. Collective.
  ///
  /// @param forces  `[3 * n_nodes]`; must be zero on the constrained DoFs unless some prescribed
  ///   displacement is nonzero
  /// @param u  `[3 * n_nodes]`; also the start, unless StateSettings::initial_guess is zero
  /// @param before  null, or the displacement before u, to extrapolate from; becomes the u of the
  ///   call
  SolverReport solve(const RightHandSide<Number> &forces,
                     Array<Number> &u,
                     PackedVector<Number> *before = nullptr);

  /// Solves with zero on the constrained DoFs, whatever the operator prescribes.
  ///
  /// @param b  `[3 * n_nodes]`, zero on the constrained DoFs
  SolverReport solve_homogeneous(const RightHandSide<Number> &b,
                                 Array<Number> &u,
                                 PackedVector<Number> *before = nullptr);

  /// Makes a start u for the following solve_homogeneous() from the solution for another b; see
  /// ConjugateGradient::fit(). Collective.
  void fit(const Array<Number> &b, Array<Number> &u);

  /// Computes z = M^-1 r on the free DoFs with the current preconditioner M. Collective.
  ///
  /// @param r  `[3 * n_nodes]`, zero on the constrained DoFs; so is z afterwards
  void precondition(const Array<Number> &r, Array<Number> &z);

  /// Changes the reference norm of tolerance and report with prescribed displacements g, from the
  /// next solve on. It is then the larger of |f| and R.g / |g|, with the reactions R of the
  /// solution. Without this call it is |f - K g| on the free DoFs. That norm is large wherever g
  /// moves a few nodes against stiff neighbours, whatever load the structure carries.
  void measure_by_reactions();

  /// Sets the control of all following solves.
  void set_control(const SolverControl &control);

  /// PreconditionerSequence::begin_again(); update() must follow. Collective.
  void begin_again();

  /// See PreconditionerSequence::name() and PreconditionerSequence::fallen_back_to().
  const std::string &preconditioner() const;
  std::string fallen_back_to() const;

  /// Returns the warnings since the last call, empty if there are none, and clears them.
  std::string take_warnings();

private:
  SolverReport
  solve_for(const SolverControl &control, const RightHandSide<Number> &b, Array<Number> &u);
  SolverReport solve_mixed(const RightHandSide<Number> &b, Array<Number> &u, std::string &reason);
  double residual(const RightHandSide<Number> &b, Array<Number> &u);
  double size(double residual) const;
  void provide_lifting();
  SolverReport continue_solve(double tolerance, unsigned int iterations, Array<Number> &u);
  /// The norm of a vector over its owned DoFs.
  double norm(const RightHandSide<Number> &x) const;

  Backend &backend_;
  Communicator communicator_;
  StateSettings settings_;
  ElasticityOperator<Number> &matrix_;
  PreconditionerSequence<Number> preconditioner_;
  ConjugateGradient<Number> solver_;
  bool measures_by_reactions_ = false;
  Array<Number> right_hand_side_, lifting_; ///< only with prescribed displacements
};
} // namespace strut
