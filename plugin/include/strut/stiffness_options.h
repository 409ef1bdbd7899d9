// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>

#include <string>
#include <utility>

namespace strut
{
/// One of a few names, given as a string as in decks, or as an enumerator, which the compiler
/// checks. It is stored as the string.
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

/// Options of a StiffnessOperator, with the names that decks use.
struct StiffnessOptions
{
  // Names that have an enumerator: `automatic` is "auto", `fp64` "double" and `fp32` "float".
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

  /// Backend that computes: `auto` (a GPU if there is one), `cuda` or `cpu`.
  Choice<Backend> backend = "auto";
  /// Threads of the CPU backend. For 0 it takes OMP_NUM_THREADS, else this rank's share of the
  /// cores.
  unsigned int n_threads = 0;
  /// GPU to use, counted from 0 among those that the rank sees. For -1 the ranks of a machine, by
  /// the triangulation's communicator, take its GPUs in turn. With serial triangulations each rank
  /// counts as alone, so under mpirun all take GPU 0 unless told otherwise. The CPU backend ignores
  /// it.
  int device = -1;
  /// A cudaStream_t of the application, to which all work on the GPU is submitted in order with the
  /// application's own. For null the operator makes a stream of its own. The stream must belong to
  /// `device`, and outlive the operator and its DeviceVectors. The legacy default stream is
  /// `cudaStreamLegacy`; CUDA captures no graphs there, so multigrid's cycles take longer.
  /// `cudaStreamPerThread` is refused. So is any stream with the CPU backend.
  void *stream = nullptr;
  /// Strategy of the backend for the element operator. `auto` takes `on_the_fly` for FE_Q(1), and
  /// `ebe` for other elements, which `nbn` takes too. Multigrid's coarser levels of hexahedra use
  /// `on_the_fly`.
  std::string strategy = "auto";

  // Options of solve():
  /// A name in strut::preconditioners(), such as `jacobi` or `multigrid`, or `auto`. `auto` takes
  /// multigrid on the levels of the mesh or on background cells, else Jacobi; describe() says why.
  Choice<Preconditioner> preconditioner = "auto";
  /// Values for parameters of that preconditioner, by their names in decks; the others keep their
  /// defaults. `auto` takes none.
  ParameterValues preconditioner_values = {};
  /// `auto` is the precision of the operator's Number, and so is `double` or `float`. `mixed` is
  /// double with multigrid cycles in float.
  Choice<Precision> precision = "auto";
  /// The quantity that the tolerance bounds, for r = b - A x on the free DoFs (lifting included):
  /// - `relative`: |r| / |b|
  /// - `preconditioned`: sqrt(r^T M^-1 r) / |b| (Martinez-Frutos and Herrero-Perez 2017)
  /// - `absolute`: r^T M^-1 r (Ratnakar 2022)
  ///
  /// The last two depend on the units and on the preconditioner. A SolverControl of deal.II always
  /// sees |r|.
  Choice<Criterion> criterion = "relative";
  double tolerance            = 1e-8;
  unsigned int max_iterations = 20000;
  /// Whether solve() begins with the values of x, which costs one more upload, instead of zero.
  bool initial_guess = false;
  /// Values of the x that solve() returns on constrained DoFs. `distribute` gives those of
  /// AffineConstraints::distribute(). `zero` gives zeros, as SolverCG with vmult() leaves them
  /// after lift(). Then x^T K x by vmult() is the energy, and inverse iterations take x as it is.
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

/// Results of a StiffnessOperator::solve().
struct SolveReport
{
  unsigned int iterations = 0;
  /// True residual in terms of StiffnessOptions::criterion. If a SolverControl decides, it is |b -
  /// A x| / |b| on the free DoFs.
  double residual = 0.;
  /// False if the precision of Number gives no smaller residual, which is no failure.
  bool converged = false;
  /// Wall-clock time with transfers. The first call also builds the preconditioner.
  double seconds = 0.;
  /// Name in strut::preconditioners() of the preconditioner that solved. If it is not the chosen
  /// one, the remark says why.
  std::string preconditioner;
  /// Warnings, such as that mixed cycles were given up, or why the solve has not converged; mostly
  /// empty.
  std::string remark;
};
} // namespace strut
