// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/solve_system.h"

#include <strut/backend/timing.h>

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "plugin/base/attempt.h"
#include "plugin/deck/run/choose_preconditioner.h"
#include "plugin/studies/comparators/trilinos_ml.h"
#include "plugin/studies/comparison/measure.h"
#include "plugin/studies/report/format.h"
#include "source/base/measure.h"

namespace strut
{
namespace
{
constexpr std::size_t n_solves        = 5;   ///< most solves for the median
constexpr double repeat_seconds       = 10.; ///< time limit for all of them
constexpr unsigned int few_iterations = 20;  ///< iterations for measuring the time of one
/// Limit for multigrid, which takes some dozens of iterations; a solve beyond it does not converge.
constexpr unsigned int most_multigrid_iterations = 2000;

/// Bytes of this process's heap; 0 if the C library does not report them.
double heap_bytes()
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
#else
  return 0.;
#endif
}

/// Seconds of the slowest rank, from a common start. Collective.
double time(const Communicator &communicator, const std::function<void()> &work)
{
  communicator.any(false);
  const WallClock clock;
  work();
  return communicator.max(clock.seconds());
}

/// Solves a few times. @param solve  fills in iterations, and the status if it is not "ok"
void time_solves(const Communicator &communicator,
                 const std::function<void()> &solve,
                 SolverResult &result)
{
  std::vector<double> seconds;
  double total = 0.;
  do
    {
      seconds.push_back(time(communicator, solve));
      total += seconds.back();
  } while (seconds.size() < n_solves && result.status == "ok" &&
           total + seconds.back() < repeat_seconds);
  result.time = spread_of(seconds);
}

void judge(JudgedSystem &system,
           const SolveLimits &limits,
           const std::vector<double> &u,
           SolverResult &result)
{
  result.residual   = system.residual(u);
  result.compliance = system.compliance(u);
  // tolerates rounding, as each solver uses the residual of its own operator
  if (result.status == "ok" && !(result.residual <= 1.01 * limits.tolerance))
    result.status = "residual above the tolerance";
}

std::unique_ptr<StateSolver> make_solver(const SolverCase &subject,
                                         const JudgedSystem &system,
                                         Backend &backend,
                                         const SolveLimits &limits,
                                         const unsigned int max_iterations,
                                         TimingTable &timing)
{
  StateSettings settings;
  settings.strategy               = "on_the_fly";
  settings.preconditioner.name    = subject.solver;
  settings.precision              = subject.precision;
  settings.initial_guess          = InitialGuess::zero;
  settings.control.tolerance      = limits.tolerance;
  settings.control.max_iterations = max_iterations;
  return make_state_solver({backend, system.communicator, timing},
                           {system.mesh, system.material, system.coarser},
                           {system.load_case},
                           settings);
}

/// The stiffness factors in the memory of a backend. Collective.
Array<double> factors_on(Backend &backend, const JudgedSystem &system)
{
  Array<double> factors;
  attempt_together(system.communicator,
                   [&]() { factors = Array<double>(backend.memory(), system.stiffness()); });
  return factors;
}

/// Number of iterations that fit into the time, estimated from a few.
unsigned int affordable_iterations(const SolverCase &subject,
                                   const JudgedSystem &system,
                                   Backend &backend,
                                   const SolveLimits &limits)
{
  if (subject.solver != "jacobi")
    return std::min(limits.max_iterations, most_multigrid_iterations);
  TimingTable timing;
  const auto state = make_solver(subject, system, backend, limits, few_iterations, timing);
  state->set_stiffness(factors_on(backend, system));
  const auto solve = [&]() {
    SolverResult ignored;
    solve_once(*state, few_iterations, ignored);
    backend.synchronize();
  };
  solve(); // the first one also loads code and memory
  const double once       = time(system.communicator, solve) / few_iterations;
  const double affordable = limits.seconds / once;
  return affordable >= limits.max_iterations
           ? limits.max_iterations
           : std::max(few_iterations, static_cast<unsigned int>(affordable));
}

void measure_strut(JudgedSystem &system, const SolveLimits &limits, SolverResult &result)
{
  const Communicator &communicator = system.communicator;
  if (result.subject.solver == "multigrid")
    {
      const PreconditionerChoice chosen = choose_for_deck(
        "auto", Precision::fp64, communicator, {system.mesh, system.material, system.coarser});
      if (chosen.name != "multigrid")
        {
          result.status = "refused: " + chosen.text;
          return;
        }
    }
  const ChosenBackend chosen =
    make_backend(result.subject.backend, result.subject.n_threads, communicator);
  Backend &backend = *chosen.backend;
  const unsigned int max_iterations =
    affordable_iterations(result.subject, system, backend, limits);

  TimingTable timing;
  std::unique_ptr<StateSolver> state;
  const double heap = heap_bytes();
  result.set_up     = time(communicator, [&]() {
    state = make_solver(result.subject, system, backend, limits, max_iterations, timing);
    backend.synchronize();
  });
  {
    const Array<double> factors = factors_on(backend, system);
    state->set_stiffness(factors); // the first one also loads code
    backend.synchronize();
    result.update = time(communicator, [&]() {
      state->set_stiffness(factors);
      backend.synchronize();
    });
  }
  const auto solve = [&]() {
    solve_once(*state, max_iterations, result);
    if (const std::string warnings = state->take_warnings(); !warnings.empty())
      result.status = status_text(warnings);
    backend.synchronize();
  };
  time_solves(communicator, solve, result);
  result.memory_bytes =
    communicator.sum(backend.memory().is_host() ? heap_bytes() - heap
                                                : static_cast<double>(backend.memory().in_use()));
  judge(system, limits, state->displacement(0), result);
}

void measure_ml(JudgedSystem &system, const SolveLimits &limits, SolverResult &result)
{
  const Communicator &communicator = system.communicator;
  std::unique_ptr<TrilinosMl> ml;
  const double heap = heap_bytes();
  result.set_up     = time(communicator, [&]() {
    ml = std::make_unique<TrilinosMl>(communicator, system.mesh, system.material);
  });
  result.update     = time(communicator, [&]() { ml->set_stiffness(system.stiffness()); });
  std::vector<double> u;
  const auto solve = [&]() {
    const TrilinosMl::Report report = ml->solve(
      limits.tolerance, limits.max_iterations, limits.seconds, system.right_hand_side(), u);
    result.iterations = report.iterations;
    if (!report.converged)
      result.status = "stopped after " + std::to_string(report.iterations) + " iterations";
  };
  time_solves(communicator, solve, result);
  if (heap > 0.)
    result.memory_bytes = communicator.sum(heap_bytes() - heap);
  system.set_constrained(u);
  judge(system, limits, u, result);
}
} // namespace

JudgedSystem::JudgedSystem(const Communicator &comm,
                           const ElementMesh &its_mesh,
                           const MeshHierarchy &its_coarser,
                           const Material &its_material,
                           const std::vector<LoadCase> &load_cases)
  : communicator(comm)
  , mesh(its_mesh)
  , coarser(its_coarser)
  , material(its_material)
  , load_case(load_cases.front())
  , backend_(make_backend("cpu", 0, comm))
  , K_(*backend_.backend, comm, its_mesh, its_material, "on_the_fly")
{}

void JudgedSystem::set_stiffness(const std::vector<double> &factors)
{
  factors_ = factors;
  K_.set(Array<double>(backend_.backend->memory(), factors));
  b_ = difference({}); // f - K g
}

std::vector<double> JudgedSystem::difference(std::vector<double> u)
{
  Memory &memory = backend_.backend->memory();
  u.resize(mesh.n_dofs(), 0.);
  Array<double> x(memory, u), y(memory, u.size());
  K_.set_constrained(x);
  K_.apply_unconstrained(x, y);
  std::vector<double> difference = y.to_host();
  for (std::size_t i = 0; i < mesh.n_owned_dofs(); ++i)
    difference[i] = load_case.forces[i] - difference[i];
  y.copy_from_host(difference);
  K_.zero_constrained(y);
  difference = y.to_host();
  difference.resize(mesh.n_owned_dofs());
  return difference;
}

void JudgedSystem::set_constrained(std::vector<double> &u) const
{
  for (std::size_t k = 0; k < mesh.constrained_dofs.size(); ++k)
    if (mesh.constrained_dofs[k] < u.size())
      u[mesh.constrained_dofs[k]] = mesh.constrained_values[k];
}

double JudgedSystem::residual(const std::vector<double> &u)
{
  const std::vector<double> r = difference(u);
  double squares[2]           = {0., 0.};
  for (std::size_t i = 0; i < b_.size(); ++i)
    {
      squares[0] += r[i] * r[i];
      squares[1] += b_[i] * b_[i];
    }
  communicator.sum(squares, 2);
  return std::sqrt(squares[0] / squares[1]);
}

double JudgedSystem::compliance(const std::vector<double> &u) const
{
  double sum = 0.;
  for (std::size_t i = 0; i < mesh.n_owned_dofs(); ++i)
    sum += load_case.forces[i] * u[i];
  return communicator.sum(sum);
}

SolverResult
measure_solver(const SolverCase &subject, JudgedSystem &system, const SolveLimits &limits)
{
  SolverResult result;
  result.subject   = subject;
  const bool is_ml = subject.solver == "ml";
  attempt_part(
    system.communicator,
    result.status,
    [&]() {
      if (is_ml)
        measure_ml(system, limits, result);
      else
        measure_strut(system, limits, result);
    },
    is_ml ? "refused: " : "FAILED: "); // ML's reason is that its matrix is too large
  return result;
}
} // namespace strut
