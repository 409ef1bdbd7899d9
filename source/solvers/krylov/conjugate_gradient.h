// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/krylov/packed_vector.h"
#include "source/solvers/krylov/right_hand_side.h"

#include <strut/backend/backend.h>
#include <strut/backend/timing.h>
#include <strut/base/communicator.h>
#include <strut/solvers/krylov/solver_control.h>
#include <strut/solvers/linear_operator.h>

#include <memory>
#include <string>

namespace strut
{
/// The preconditioned conjugate gradient method (Ratnakar 2022, algorithm 1; Saad 2003, algorithm
/// 9.1). It is independent of backend and mesh. It keeps its work vectors between solves. There are
/// three of them. A criterion with M^-1 needs one more if the preconditioner is not diagonal.
///
/// For Number = double, the direction is in float if the operator reads such vectors
/// (LinearOperator::takes_float()) and the preconditioner gives them
/// (Preconditioner::gives_float()). The product q = A p is in double, of the rounded direction, so
/// the recursion loses no accuracy. A residual in float would lose it: soft modes, such as those of
/// solid islands in void, react to its rounding with large displacements.
///
/// Step lengths are computed in the memory of the vectors. The host waits once per iteration. With
/// a diagonal preconditioner it does so while the last update of the vectors is still under way. It
/// waits twice by a criterion with M^-1 and another preconditioner, and on several ranks.
template <typename Number>
class ConjugateGradient
{
public:
  /// @param timing  receives the sections "operator", "PCG vectors" and, if the preconditioner is
  ///   not diagonal, "preconditioner"
  ConjugateGradient(Backend &backend, const Communicator &communicator, TimingTable &timing);
  ~ConjugateGradient();

  /// Solves `A x = b`, starting from x; b and x must be zero on the constrained DoFs.
  ///
  /// Convergence is judged by the true residual. If rounding keeps it above the tolerance, the
  /// report says so; this is no failure. It costs at most about as many further iterations as it
  /// took to come within a factor of ten of the attainable residual.
  ///
  /// @throws SolverFailure, with the reason: no convergence after max_iterations (unless
  ///   SolverControl::accepts_limit), a number that is not finite, or an operator or a
  ///   preconditioner that is not positive definite
  SolverReport solve(const SolverControl &control,
                     LinearOperator<Number> &A,
                     Preconditioner<Number> &M,
                     const RightHandSide<Number> &b,
                     Array<Number> &x);

  /// The work vector that receives the results of such a preconditioner in solve(). Outside of
  /// solve(), and before the first result, callers may use it.
  Array<Number> &result_of_preconditioner(const SolverControl &control,
                                          const LinearOperator<Number> &A,
                                          const Preconditioner<Number> &M);

  /// Frees the work vectors until the next solve.
  void release_vectors();

  /// Moves a start x along its last change `w = x - before` to the smallest energy of the error:
  /// `x += a w` with `a = w^T (b - A x) / w^T A w`. That saves iterations where successive changes
  /// are similar. It costs two products. x stays unchanged where w has no energy.
  ///
  /// @param before  the solution before x, owned entries, zero on the constrained DoFs; becomes the
  ///   x of the call
  /// @param M  the preconditioner of the following solve, which decides the precision of vectors
  void extrapolate(LinearOperator<Number> &A,
                   const Preconditioner<Number> &M,
                   const RightHandSide<Number> &b,
                   Array<Number> &x,
                   PackedVector<Number> &before);

  /// Multiplies a start x by the factor `a = x^T b / x^T A x` with the smallest energy of the
  /// error. That energy is at most that of x, and that of zero. This helps with right-hand sides
  /// that change their size. It costs one product. x becomes zero where it has no energy.
  void fit(LinearOperator<Number> &A, const Array<Number> &b, Array<Number> &x);

private:
  template <typename Low>
  class Solve;
  class Section;

  /// The direction, in Number or float, and its vector updates.
  template <typename Low>
  struct Recursion
  {
    using Entry = Low;
    Array<Low> p;
    std::unique_ptr<KrylovUpdates<Number, Low>> updates;
  };

  /// Calls work(recursion) in the precision for A and M; its vector, r and q are allocated.
  template <typename Work>
  auto with_recursion(const LinearOperator<Number> &A,
                      const Preconditioner<Number> &M,
                      const Work &work);
  template <typename Low>
  void provide(Array<Low> &vector, std::size_t n);
  template <typename Low>
  void step_along(LinearOperator<Number> &A,
                  const RightHandSide<Number> &b,
                  Recursion<Low> &recursion,
                  Array<Number> &x,
                  PackedVector<Number> &before);

  Backend &backend_;
  Communicator communicator_;
  std::unique_ptr<Section> operator_time_, vectors_time_, preconditioner_time_;
  Recursion<Number> own_;
  Recursion<float> in_float_; ///< for Number = double; only one of the two has a vector
  Array<Number> r_, q_, z_;
};
} // namespace strut
