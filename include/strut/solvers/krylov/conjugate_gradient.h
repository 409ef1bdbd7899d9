// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/backend/timing.h>
#include <strut/base/communicator.h>
#include <strut/solvers/krylov/packed_vector.h>
#include <strut/solvers/krylov/right_hand_side.h>
#include <strut/solvers/linear_operator.h>

#include <functional>
#include <memory>
#include <string>

namespace strut
{
/// When an iterative solve is done.
struct SolverControl
{
  enum class Criterion
  {
    relative,       ///< |r| <= tolerance |b|
    preconditioned, ///< sqrt(r^T M^-1 r) <= tolerance |b|, Martinez-Frutos and Herrero-Perez (2017), algorithm 1; depends on the units
    absolute        ///< r^T M^-1 r <= tolerance, Ratnakar (2022), algorithm 1; depends on the units
  };

  Criterion criterion         = Criterion::relative;
  double tolerance            = 1e-5;
  unsigned int max_iterations = 20000;
  bool accepts_limit          = false; ///< end after max_iterations with what is there: no failure

  enum class Verdict
  {
    go_on,
    enough, ///< converged, if the true residual, which comes next, is enough too
    give_up ///< end with what is there, SolverReport::at_limit
  };

  /// Sees |r| at the start, as iteration 0, and after each iteration, the same on all ranks, and decides when it is
  /// enough, beside the tolerance: 0 leaves that to the monitor alone. The true residual, where it is looked at, comes with
  /// the number of iterations of before; each part of a solve in parts, as with cycles in float, begins with 0. Null: there
  /// is none. Only with the relative criterion.
  std::function<Verdict(unsigned int iterations, double norm)> monitor = nullptr;
};

/// How a solve went.
struct SolverReport
{
  unsigned int iterations = 0;
  double residual =
    0; ///< |r| / |b|, sqrt(r^T M^-1 r) / |b| or r^T M^-1 r, as the criterion says; r = b - A x
  bool converged = false; ///< false: the precision gives no smaller residual, or at_limit
  bool at_limit =
    false; ///< SolverControl::accepts_limit or its monitor; the residual is that of the recursion
};

/// The conjugate gradient method, preconditioned (Ratnakar 2022, algorithm 1; Saad 2003, algorithm 9.1).
/// Knows no backend and no mesh; keeps its work vectors between solves: three, and by a criterion with M^-1
/// one more if the preconditioner is not diagonal.
///
/// For Number = double, the direction is in float where the operator reads such vectors (LinearOperator::takes_float()) and
/// the preconditioner gives them (Preconditioner::gives_float()). The product q = A p is in double, of the direction as it is rounded, so
/// the recursion loses nothing. A residual in float would: soft modes, as islands of solid in void have, answer its rounding
/// with large displacements.
///
/// Step lengths are computed where the vectors are. The host waits once per iteration, with a diagonal
/// preconditioner while the last update of the vectors is still under way; by a criterion with M^-1
/// with another one, and on several ranks, twice.
template <typename Number>
class ConjugateGradient
{
public:
  /// @param timing  receives the sections "operator", "PCG vectors" and, if the preconditioner is not
  /// diagonal, "preconditioner"
  ConjugateGradient(Backend &backend, const Communicator &communicator, TimingTable &timing);
  ~ConjugateGradient();

  /// Solve `A x = b`, starting from x; b and x must be zero on the constrained DoFs.
  ///
  /// Convergence is judged by the true residual. Where rounding keeps that above the tolerance, the
  /// report says so; it is no failure. That costs at most about as many iterations again as it took
  /// to come within a factor of ten of the residual that the precision can reach.
  ///
  /// @throws SolverFailure, with the reason: not converged after max_iterations (unless
  /// SolverControl::accepts_limit), a number that is not
  /// finite, an operator or a preconditioner that is not positive definite
  SolverReport solve(const SolverControl &control,
                     LinearOperator<Number> &A,
                     Preconditioner<Number> &M,
                     const RightHandSide<Number> &b,
                     Array<Number> &x);

  /// The work vector that solve() has the results of such a preconditioner written to: outside of that, and until there is a
  /// result, it is free.
  Array<Number> &result_of_preconditioner(const SolverControl &control,
                                          const LinearOperator<Number> &A,
                                          const Preconditioner<Number> &M);

  /// Free the work vectors until the next solve.
  void release_vectors();

  /// Move a start x on along its last change `w = x - before`, as far as the energy of its error falls:
  /// `x += a w` with `a = w^T (b - A x) / w^T A w`. Where changes go on as they went, that saves iterations. Two products.
  /// x stays where w has no energy.
  /// @param before  the solution before x, owned entries; becomes x as it came. Zero on the constrained DoFs
  /// @param M  the one of the solve that follows, which decides how vectors are kept
  void extrapolate(LinearOperator<Number> &A,
                   const Preconditioner<Number> &M,
                   const RightHandSide<Number> &b,
                   Array<Number> &x,
                   PackedVector<Number> &before);

  /// Multiply a start x by the factor `a = x^T b / x^T A x`, for which the energy of the error is smallest: it is at most that of
  /// x, and that of zero. For right-hand sides that change their size. One product. x becomes zero where it has no energy.
  void fit(LinearOperator<Number> &A, const Array<Number> &b, Array<Number> &x);

private:
  template <typename Low>
  class Solve;
  class Section;

  /// The direction, which may be in float.
  template <typename Low>
  struct Recursion
  {
    using Entry = Low;
    Array<Low> p;
    std::unique_ptr<KrylovUpdates<Number, Low>> updates;
  };

  /// work(recursion) in the precision for A and M; its vector is there, and r and q.
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
  Recursion<float> in_float_; ///< for Number = double; of the two, one has a vector
  Array<Number> r_, q_, z_;
};
} // namespace strut
