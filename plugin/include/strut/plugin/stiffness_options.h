// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>

#include <string>
#include <utility>

namespace strut::plugin
{
/// One of a few names, as a string like in decks, or as an enumerator, which the compiler checks. From then on it is
/// the string.
template <typename Enumeration>
class Choice : public std::string
{
public:
  Choice(const char *name) : std::string(name)
  {}
  Choice(std::string name) : std::string(std::move(name))
  {}
  Choice(const Enumeration value) : std::string(name_of(value))
  {}

  friend bool operator==(const Choice &choice, const Enumeration value)
  {
    return choice == name_of(value);
  }
  friend bool operator!=(const Choice &choice, const Enumeration value)
  {
    return choice != name_of(value);
  }
};

/// How a StiffnessOperator computes. The names are those of the decks.
struct StiffnessOptions
{
  // The names that have an enumerator: `automatic` is "auto", `fp64` "double" and `fp32` "float".
  enum class Backend
  {
    automatic,
    cuda,
    cpu
  };
  enum class Preconditioner
  {
    automatic,
    jacobi,
    multigrid
  };
  enum class Precision
  {
    automatic,
    fp64,
    fp32,
    mixed
  };
  enum class ConstrainedEntries
  {
    distribute,
    zero
  };
  enum class Criterion
  {
    relative,
    preconditioned,
    absolute
  };

  /// Where: `auto` (a GPU if there is one), `cuda` or `cpu`.
  Choice<Backend> backend = "auto";
  /// Threads of the CPU backend; 0: OMP_NUM_THREADS, else this rank's share of the cores.
  unsigned int n_threads = 0;
  /// Which GPU, counted from 0 among those that the rank sees; -1: the ranks of a machine, as the
  /// triangulation's communicator has them, take its GPUs in turn. Serial triangulations are each alone
  /// there: under mpirun all ranks would take GPU 0, unless told. The CPU backend does not look at it.
  int device = -1;
  /// A cudaStream_t of the application, which all work on the GPU goes to, in order with the application's own; null: one
  /// of the operator's own. It must be one of `device`, and outlive the operator and its DeviceVectors. The legacy default
  /// stream is `cudaStreamLegacy`: CUDA captures no graphs there, so multigrid's cycles take longer. `cudaStreamPerThread`
  /// is refused, and so is any stream where the CPU computes.
  void *stream = nullptr;
  /// The element operator: a strategy of the backend. Multigrid's levels are `on_the_fly`.
  std::string strategy = "on_the_fly";

  // Of solve():
  /// A name in strut::preconditioners(), such as `jacobi` or `multigrid`; or `auto`: multigrid, on the levels of the mesh or on
  /// background cells, else Jacobi; describe() says why.
  Choice<Preconditioner> preconditioner = "auto";
  /// Of the parameters of that preconditioner, by their names in decks; those left out have their defaults. Not
  /// with `auto`.
  ParameterValues preconditioner_values = {};
  /// `auto`: that of the operator's Number, which is also `double` or `float`; `mixed`: double, with multigrid cycles
  /// in float.
  Choice<Precision> precision = "auto";
  /// What tolerance bounds, for r = b - A x on the free DoFs (lifting included): `relative`, |r| / |b|; `preconditioned`,
  /// sqrt(r^T M^-1 r) / |b| (Martinez-Frutos and Herrero-Perez 2017); `absolute`, r^T M^-1 r (Ratnakar 2022). The last two depend
  /// on the units and on the preconditioner. A SolverControl of deal.II's sees |r| whatever is set here.
  Choice<Criterion> criterion = "relative";
  double tolerance            = 1e-8;
  unsigned int max_iterations = 20000;
  /// Begin with the values of x, which costs one more upload; else with zero.
  bool initial_guess = false;
  /// Of the x that solve() returns: `distribute`, prescribed values and those that follow from the others, as
  /// AffineConstraints::distribute() gives them; `zero`, as SolverCG with vmult() leaves them after lift(): so x^T K x
  /// by vmult() is the energy, and inverse iterations take x as it is.
  Choice<ConstrainedEntries> constrained_entries = "distribute";

  friend const char *name_of(const Backend value)
  {
    constexpr const char *names[] = {"auto", "cuda", "cpu"};
    return names[static_cast<int>(value)];
  }
  friend const char *name_of(const Preconditioner value)
  {
    constexpr const char *names[] = {"auto", "jacobi", "multigrid"};
    return names[static_cast<int>(value)];
  }
  friend const char *name_of(const Precision value)
  {
    constexpr const char *names[] = {"auto", "double", "float", "mixed"};
    return names[static_cast<int>(value)];
  }
  friend const char *name_of(const ConstrainedEntries value)
  {
    constexpr const char *names[] = {"distribute", "zero"};
    return names[static_cast<int>(value)];
  }
  friend const char *name_of(const Criterion value)
  {
    constexpr const char *names[] = {"relative", "preconditioned", "absolute"};
    return names[static_cast<int>(value)];
  }
};

/// How a StiffnessOperator::solve() went.
struct SolveReport
{
  unsigned int iterations = 0;
  /// As StiffnessOptions::criterion says, with the true residual; |b - A x| / |b| on the free DoFs where a SolverControl
  /// decides.
  double residual = 0.;
  /// False where the precision of Number gives no smaller residual; no failure.
  bool converged = false;
  /// Wall-clock time, transfers included; the first call also builds the preconditioner.
  double seconds = 0.;
  /// The one that solved: a name in strut::preconditioners(). If it is not the one that was chosen, the remark has said why.
  std::string preconditioner;
  /// Warnings, such as that mixed cycles were given up, or why it has not converged; mostly empty.
  std::string remark;
};
} // namespace strut::plugin
