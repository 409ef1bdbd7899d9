// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/measure.h"
#include "source/backend/stopwatch.h"
#include "source/base/text.h"

#include <strut/solvers/elasticity_operator.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>

#include "plugin/base/attempt.h"
#include "plugin/base/choose_backend.h"

namespace strut
{
namespace
{
constexpr int n_warm_up             = 2;
constexpr double batch_seconds      = 0.02; ///< minimum, as the clock's resolution is limited
constexpr double n_batches_at_least = 5;
constexpr double n_batches_at_most  = 21;
constexpr double n_in_batch_at_most = 10000;

/// Random numbers that float represents exactly, the same in every run.
std::vector<double>
random_numbers(const std::size_t n, const unsigned int seed, const float lower, const float upper)
{
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(lower, upper);
  std::vector<double> numbers(n);
  for (double &number : numbers)
    number = static_cast<double>(distribution(generator));
  return numbers;
}

/// Largest |a_i - b_i|; infinite if any number is not finite.
template <typename Number>
double max_difference(const std::vector<Number> &a, const std::vector<double> &b)
{
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    {
      const double difference = std::abs(static_cast<double>(a[i]) - b[i]);
      if (!std::isfinite(difference))
        return std::numeric_limits<double>::infinity();
      largest = std::max(largest, difference);
    }
  return largest;
}

/// Seconds per call, measured over batches of calls.
Spread time_calls(const Communicator &communicator,
                  const Backend &backend,
                  const double seconds,
                  const std::function<void()> &call)
{
  const auto stopwatch = backend.make_stopwatch();
  for (int i = 0; i < n_warm_up; ++i)
    call();
  stopwatch->start();
  call();
  const double once      = communicator.max(stopwatch->stop());
  const double per_batch = std::max(batch_seconds, seconds / n_batches_at_most);
  const auto n_in_batch =
    static_cast<unsigned int>(std::clamp(std::ceil(per_batch / once), 1., n_in_batch_at_most));
  const auto n_batches = static_cast<int>(
    std::clamp(seconds / (n_in_batch * once), n_batches_at_least, n_batches_at_most));
  std::vector<double> result;
  for (int batch = 0; batch < n_batches; ++batch)
    {
      communicator.any(false); // all ranks start together
      stopwatch->start();
      for (unsigned int i = 0; i < n_in_batch; ++i)
        call();
      result.push_back(communicator.max(stopwatch->stop()) / n_in_batch);
    }
  return spread_of(result);
}

/// Bytes that an operator and the solves with it need on this rank.
double needed(const Backend &backend,
              const StateSettings &settings,
              const ElementMesh &mesh,
              const std::size_t n_load_cases)
{
  MeshSize size{mesh.n_elements, mesh.n_nodes};
  size.type = mesh.type;
  MemoryPlan plan;
  plan_state_solver(plan,
                    settings,
                    {backend.strategies<double>(), backend.strategies<float>()},
                    size,
                    {n_load_cases, n_load_cases}, // assumes that all load cases have full vectors
                    /*lifted*/ true,
                    /*n_adjoints*/ 0);
  return plan.total();
}

StateSettings settings_of(const OperatorCase &subject, const SolverControl &control)
{
  StateSettings settings;
  settings.strategy      = subject.name;
  settings.precision     = subject.precision;
  settings.control       = control;
  settings.initial_guess = InitialGuess::zero;
  return settings;
}

template <typename Number>
void measure(const MeasuredProblem &problem,
             const MeasuredBackend &where,
             const ReferenceProduct &reference,
             const Strategy<Number> &strategy,
             const double seconds,
             OperatorResult &result)
{
  const Communicator &communicator = problem.communicator;
  Backend &backend                 = where.backend;
  const ElementMesh &mesh          = problem.mesh;
  if (mesh.type != ElementType() && !strategy.takes_types)
    throw Error("it takes elements of type " + std::string(ElementType().name) +
                  ", and those of the mesh are " + mesh.type.name,
                Remedy::use_other_operator);
  const double bytes =
    needed(backend, settings_of(result.subject, problem.control), mesh, problem.load_cases.size());
  if (communicator.any(bytes > where.available))
    throw OutOfMemory("needs " + format_bytes(communicator.max(bytes)) + ", " +
                      format_bytes(communicator.min(where.available)) + " free");

  std::unique_ptr<ElementOperator<Number>> K;
  Array<Number> x, y;
  double set_up = 0;
  attempt_together(communicator, [&]() {
    const WallClock clock;
    K = strategy.make(backend, mesh, problem.material);
    backend.synchronize();
    set_up = clock.seconds();
    K->set_stiffness(Array<double>(backend.memory(), reference.factors));
    x =
      Array<Number>(backend.memory(), std::vector<Number>(reference.x.begin(), reference.x.end()));
    y = Array<Number>(backend.memory(), mesh.n_dofs());
  });
  result.set_up = communicator.max(set_up);
  result.time   = time_calls(communicator, backend, seconds, [&]() { K->apply(x, y); });

  const OperatorCost cost     = K->cost();
  result.cost.bytes_per_apply = communicator.sum(cost.bytes_per_apply);
  result.cost.flops_per_apply = communicator.sum(cost.flops_per_apply);
  result.cost.memory_bytes    = communicator.sum(cost.memory_bytes);
  result.copy_bandwidth       = where.rates.copy_bandwidth * communicator.size();
  result.floor                = std::max(result.cost.bytes_per_apply / result.copy_bandwidth,
                          result.cost.flops_per_apply /
                            (where.rates.flops(result.subject.precision) * communicator.size()));

  // checks the last product, after the measurements
  result.error = communicator.max(max_difference(y.to_host(), reference.y)) / reference.largest;
  const double tolerance = result.subject.precision == Precision::fp64 ? 1e-13 : 1e-5;
  if (!(result.error <= tolerance))
    result.status = "WRONG: differs from the CPU by more than rounding";
}
} // namespace

ReferenceProduct ReferenceProduct::compute(const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const Material &material)
{
  ReferenceProduct reference;
  const auto seed                  = static_cast<unsigned int>(communicator.rank());
  reference.x                      = random_numbers(mesh.n_dofs(), 2 * seed + 1, -1.f, 1.f);
  reference.factors                = random_numbers(mesh.n_elements, 2 * seed + 2, 0.01f, 1.f);
  const ChosenBackend chosen       = make_backend("cpu", 0, communicator);
  Backend &backend                 = *chosen.backend;
  const Strategy<double> &strategy = find_strategy<double>(backend, "ebe");
  StateSettings settings;
  settings.strategy  = strategy.name;
  const double bytes = needed(backend, settings, mesh, 1);
  const double free  = static_cast<double>(backend.memory().available()) / chosen.n_sharing;
  if (communicator.any(bytes > free))
    throw OutOfMemory("All operators are checked against 'ebe' in double on the CPU, which needs " +
                        format_bytes(communicator.max(bytes)) + " of the host's memory; " +
                        format_bytes(communicator.min(free)) +
                        " are free.\n  Use a coarser mesh, or a machine with more memory.",
                      Remedy::none);
  attempt_together(communicator, [&]() {
    const auto K = strategy.make(backend, mesh, material);
    K->set_stiffness(Array<double>(backend.memory(), reference.factors));
    Array<double> y(backend.memory(), mesh.n_dofs());
    K->apply(Array<double>(backend.memory(), reference.x), y);
    reference.y = y.to_host();
  });
  reference.largest =
    communicator.max(max_difference(reference.y, std::vector<double>(reference.y.size(), 0.)));
  return reference;
}

OperatorResult measure_operator(const MeasuredProblem &problem,
                                const MeasuredBackend &where,
                                const OperatorCase &subject,
                                const ReferenceProduct &reference,
                                const double seconds)
{
  OperatorResult result;
  result.subject = subject;
  with_number(subject.precision, [&](const auto number) {
    const auto &strategy =
      find_strategy<std::decay_t<decltype(number)>>(where.backend, subject.name);
    attempt_part(
      problem.communicator,
      result.status,
      [&]() { measure(problem, where, reference, strategy, seconds, result); },
      // a strategy that does not support the mesh is not a failure
      strategy.identical_elements_only ? "refused: " : "FAILED: ");
  });
  return result;
}

SolveResult measure_solve(const MeasuredProblem &problem,
                          const MeasuredBackend &where,
                          const OperatorResult &applied,
                          const double seconds)
{
  SolveResult result;
  result.subject         = applied.subject;
  StateSettings settings = settings_of(applied.subject, problem.control);
  // the vector operations cost about as much as a fast operator
  const double affordable = seconds / (1.5 * applied.time.median);
  if (affordable < settings.control.max_iterations)
    settings.control.max_iterations = std::max(10u, static_cast<unsigned int>(affordable));

  TimingTable timing;
  attempt_part(problem.communicator, result.status, [&]() {
    std::unique_ptr<StateSolver> state;
    attempt_together(problem.communicator, [&]() {
      state = make_state_solver({where.backend, problem.communicator, timing},
                                {problem.mesh, problem.material},
                                problem.load_cases,
                                settings);
      state->set_stiffness(Array<double>(where.backend.memory(), problem.stiffness));
      where.backend.synchronize();
    });
    const WallClock clock;
    solve_once(*state, settings.control.max_iterations, result);
    result.seconds          = problem.communicator.max(clock.seconds());
    result.operator_seconds = timing.seconds("operator");
    result.vector_seconds   = timing.seconds("PCG vectors");
  });
  return result;
}
} // namespace strut
