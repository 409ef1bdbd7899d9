// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/backend.h>
#include <strut/base/timing.h>
#include <strut/parallel/communicator.h>
#include <strut/solvers/linear_operator.h>

#include <string>

namespace strut
{
/// When an iterative solve is done.
struct SolverControl
{
  enum class Criterion
  {
    absolute, ///< r^T M^-1 r <= tolerance, as in the thesis (algorithm 1); depends on the units
    relative  ///< |r| <= tolerance |b|
  };

  Criterion criterion         = Criterion::relative;
  double tolerance            = 1e-5;
  unsigned int max_iterations = 20000;
};

/// How a solve went.
struct SolverReport
{
  unsigned int iterations = 0;
  double residual         = 0;     ///< r^T M^-1 r, or |r| / |b|, as the criterion says, r = b - A x
  bool converged          = false; ///< false: the precision gives no smaller residual
};

/// The conjugate gradient method, preconditioned (thesis, algorithm 1; Saad 2003, algorithm 9.1).
/// Knows no backend and no mesh; keeps its four work vectors between solves.
template <typename Number>
class ConjugateGradient
{
public:
  /// @param timing  receives the sections "operator" and "PCG vectors"
  ConjugateGradient(Backend &backend, const Communicator &communicator, TimingTable &timing);

  /// Solve `A x = b`, starting from x; b and x must be zero on the constrained DoFs.
  ///
  /// Convergence is judged by the true residual. Where rounding keeps that above the tolerance, the
  /// report says so; it is no failure.
  ///
  /// @throws SolverFailure, with the reason: not converged after max_iterations, a number that is not
  /// finite, an operator that is not positive definite
  SolverReport solve(const SolverControl &control,
                     LinearOperator<Number> &A,
                     Preconditioner<Number> &M,
                     const Array<Number> &b,
                     Array<Number> &x);

private:
  double dot(std::size_t n, const Array<Number> &x, const Array<Number> &y) const;

  Backend &backend_;
  Communicator communicator_;
  TimingTable &timing_;
  Array<Number> r_, z_, p_, q_;
};
} // namespace strut
