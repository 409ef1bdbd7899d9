// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>

#include <string>

namespace strut::plugin
{
/// How a StiffnessOperator computes. The names are those of the decks.
struct StiffnessOptions
{
  /// Where: `auto` (a GPU if there is one), `cuda` or `cpu`.
  std::string backend = "auto";
  /// Threads of the CPU backend; 0: OMP_NUM_THREADS, else this rank's share of the cores.
  unsigned int n_threads = 0;
  /// Which GPU, counted from 0 among those that the rank sees; -1: the ranks of a machine, as the
  /// triangulation's communicator has them, take its GPUs in turn. Serial triangulations are each alone
  /// there: under mpirun all ranks would take GPU 0, unless told. The CPU backend does not look at it.
  int device = -1;
  /// The element operator: a strategy of the backend. Multigrid's levels are `on_the_fly`.
  std::string strategy = "on_the_fly";

  // Of solve():
  /// A name in strut::preconditioners(), such as `jacobi` or `multigrid`; or `auto`: multigrid if the mesh was
  /// refined globally from a coarse one, else Jacobi.
  std::string preconditioner = "auto";
  /// Of the parameters of that preconditioner, by their names in decks; those left out have their defaults. Not
  /// with `auto`.
  ParameterValues preconditioner_values = {};
  /// `auto`: that of the operator's Number; `mixed`: double, with multigrid cycles in float.
  std::string precision = "auto";
  /// Of the residual on the free DoFs, relative to the right-hand side (lifting included).
  double tolerance            = 1e-8;
  unsigned int max_iterations = 20000;
  /// Begin with the values of x, which costs one more upload; else with zero.
  bool initial_guess = false;
  /// Of the x that solve() returns: `distribute`, prescribed values and those that follow from the others, as
  /// AffineConstraints::distribute() gives them; `zero`, as SolverCG with vmult() leaves them after lift(): so x^T K x
  /// by vmult() is the energy, and inverse iterations take x as it is.
  std::string constrained_entries = "distribute";
};

/// How a StiffnessOperator::solve() went.
struct SolveReport
{
  unsigned int iterations = 0;
  /// |b - A x| / |b| on the free DoFs, with the true residual.
  double residual = 0.;
  /// False where the precision of Number gives no smaller residual; no failure.
  bool converged = false;
  /// Wall-clock time, transfers included; the first call also builds the preconditioner.
  double seconds = 0.;
  /// The one that was chosen, a name in strut::preconditioners().
  std::string preconditioner;
  /// Warnings, such as that mixed cycles were given up, or why it has not converged; mostly empty.
  std::string remark;
};
} // namespace strut::plugin
