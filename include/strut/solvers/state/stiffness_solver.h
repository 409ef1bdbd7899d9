// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/krylov/conjugate_gradient.h>
#include <strut/solvers/krylov/preconditioner_sequence.h>

#include <memory>
#include <string>

namespace strut
{
/// Where a solve for displacements begins.
enum class InitialGuess
{
  zero,
  previous, ///< the last displacement
  extrapolated ///< the last displacement, moved on along its last change (ConjugateGradient::extrapolate())
};

/// How the displacements are computed.
struct StateSettings
{
  std::string strategy = "on_the_fly"; ///< name of the operator strategy
  SolverControl control;
  InitialGuess initial_guess = InitialGuess::extrapolated;

  Precision precision = Precision::fp64;
  PreconditionerSettings preconditioner;
};

/// Solves `K u = f` with one stiffness operator and one preconditioner, for as many f as one likes:
/// conjugate gradients, prescribed displacements included, cycles in a lower precision if asked for.
template <typename Number>
class StiffnessSolver
{
public:
  /// If a solve with a preconditioner in float (Precision::mixed, Number = double) stagnates (it does not
  /// halve its residual in 100 iterations, or ends above the tolerance), it goes on with the next
  /// preconditioner of the sequence, and the report counts the iterations of both.
  ///
  /// A solve that breaks down begins again with the next one; so does a new operator that its
  /// preconditioner cannot follow. A warning says so.
  ///
  /// @param matrix  that of the structure; must outlive the solver
  StiffnessSolver(const Execution &execution,
                  ElasticityOperator<Number> &matrix,
                  const Structure &structure,
                  const StateSettings &settings);

  /// The memory that it will keep, without the operator. @param settings  of an available strategy and preconditioner
  /// @param lifted  whether displacements are prescribed
  static void plan(MemoryPlan &plan,
                   const StateSettings &settings,
                   const StrategyLists &strategies,
                   const MeshSize &size,
                   bool lifted);

  /// Follow the operator, whose factors, `[n_elements]`, were just set to `factors`. Needed once
  /// before the first solve. Collective.
  void update(const Array<double> &factors);

  /// End what update() has begun, which on a GPU goes on beside other work: only then is preconditioner() for certain the one that
  /// the next solve begins with. Throws SolverFailure. Collective.
  void finish();

  /// Solve `K u = f` on the free DoFs, with u as prescribed on the others. Throws SolverFailure; u is
  /// zero then. Collective.
  /// @param forces  `[3 * n_nodes]`; without prescribed displacements other than zero, they must be
  /// zero on the constrained DoFs
  /// @param u  `[3 * n_nodes]`; also the start, unless StateSettings::initial_guess is zero
  /// @param before  null, or the displacement before u, to extrapolate from; becomes u as it came
  SolverReport solve(const RightHandSide<Number> &forces,
                     Array<Number> &u,
                     PackedVector<Number> *before = nullptr);

  /// The same with zero prescribed on the constrained DoFs, whatever the operator prescribes.
  /// @param b  `[3 * n_nodes]`, zero on the constrained DoFs
  SolverReport solve_homogeneous(const RightHandSide<Number> &b,
                                 Array<Number> &u,
                                 PackedVector<Number> *before = nullptr);

  /// Make a start u for the solve_homogeneous() that follows from the solution for another b, see ConjugateGradient::fit().
  /// Collective.
  void fit(const Array<Number> &b, Array<Number> &u);

  /// z = M^-1 r on the free DoFs, M the preconditioner of now. Collective.
  /// @param r  `[3 * n_nodes]`, zero on the constrained DoFs; so is z afterwards
  void precondition(const Array<Number> &r, Array<Number> &z);

  /// From the next solve on, with prescribed displacements g, tolerance and report are relative to the larger of |f| and
  /// R.g / |g|, R the reactions of the solution; without this call to |f - K g| on the free DoFs. That is large wherever
  /// g moves a few nodes against stiff neighbours, whatever the structure carries.
  void measure_by_reactions();

  /// From the next solve on.
  void set_control(const SolverControl &control);

  /// PreconditionerSequence::begin_again(); update() must follow. Collective.
  void begin_again();

  /// PreconditionerSequence::name(), PreconditionerSequence::fallen_back_to()
  const std::string &preconditioner() const;
  std::string fallen_back_to() const;

  /// Warnings since the last call, empty if there are none; clears them.
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
