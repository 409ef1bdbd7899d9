// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>

namespace strut
{
/// The stopping criterion of an iterative solve.
struct SolverControl
{
  enum class Criterion
  {
    relative, ///< |r| <= tolerance |b|

    /// Sqrt(r^T M^-1 r) <= tolerance |b|, Martinez-Frutos and Herrero-Perez (2017), algorithm 1. It
    /// depends on the units.
    preconditioned,
    absolute ///< r^T M^-1 r <= tolerance, Ratnakar (2022), algorithm 1. It depends on the units
  };

  Criterion criterion         = Criterion::relative;
  double tolerance            = 1e-5;
  unsigned int max_iterations = 20000;
  bool accepts_limit          = false; ///< return the current x after max_iterations: no failure

  enum class Verdict
  {
    go_on,
    enough, ///< converged, if the true residual is small enough, too; it is computed next
    give_up ///< stop with the current x, SolverReport::at_limit
  };

  /// Decides, beside the tolerance, when the residual is small enough; with a tolerance of 0 it
  /// decides alone. It gets |r| at the start, as iteration 0, and after each iteration, the same on
  /// all ranks. The true residual, where it is computed, has the number of iterations of the last
  /// call. Each part of a solve in parts, as with cycles in float, begins with 0. Null: there is no
  /// monitor. It works with the relative criterion only.
  std::function<Verdict(unsigned int iterations, double norm)> monitor = nullptr;
};

/// The outcome of a solve.
struct SolverReport
{
  unsigned int iterations = 0;
  double residual =
    0; ///< |r| / |b|, sqrt(r^T M^-1 r) / |b| or r^T M^-1 r, depending on the criterion; r = b - A x
  bool converged = false; ///< false: the precision allows no smaller residual, or at_limit

  /// Stopped by SolverControl::accepts_limit or the monitor; the residual is that of the recursion.
  bool at_limit = false;
};
} // namespace strut
