// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/lame_operator.h"
#include "source/solvers/state/vibration_modes.h"

#include <strut/solvers/state/state_solver.h>

namespace strut
{
namespace
{
template <typename Number>
void plan_in(MemoryPlan &plan,
             const StateSettings &settings,
             const StrategyLists &strategies,
             const MeshSize &size,
             const double n_vectors,
             const bool lifted)
{
  const Strategy<Number> &strategy =
    find_named(strategies.of<Number>(), settings.strategy, "operator");
  plan.operator_bytes +=
    size.has_lame ? LameOperator<Number>::memory_estimate(strategy,
                                                          size.n_elements,
                                                          size.n_nodes,
                                                          size.has_similar_elements)
                  : strategy.memory(size.n_elements, size.n_nodes, size.has_similar_elements);
  plan.vector_bytes += n_vectors * 3. * static_cast<double>(size.n_nodes) * sizeof(Number);
  StiffnessSolver<Number>::plan(plan, settings, strategies, size, lifted);
}
} // namespace

bool keeps_whole_vector(const bool has_dependent, const LoadCase &load_case)
{
  std::size_t n = 0;
  load_case.forces.for_each([&](std::size_t, double) { ++n; });
  return has_dependent || load_case.has_weight || n > load_case.forces.size() / 4;
}

void plan_state_solver(MemoryPlan &plan,
                       const StateSettings &settings,
                       const StrategyLists &strategies,
                       const MeshSize &size,
                       const std::size_t n_load_cases,
                       const bool lifted,
                       const std::size_t n_adjoints,
                       const std::size_t n_modes,
                       const std::size_t n_sets,
                       const bool has_ratios,
                       const std::size_t n_whole_loads)
{
  // displacement, and that before it, of each load case; forces; adjoints, and their right-hand side
  const double of_set  = settings.initial_guess == InitialGuess::extrapolated ? 2. : 1.;
  const double of_each = of_set * static_cast<double>(n_sets);
  const double n_kept =
    settings.initial_guess == InitialGuess::zero ? 1. : static_cast<double>(n_adjoints);
  const double of_adjoints = n_adjoints == 0 ? 0. : n_kept + 1.;
  const double n_vectors =
    of_each * static_cast<double>(n_load_cases) + static_cast<double>(n_whole_loads) + of_adjoints;
  if (settings.precision == Precision::fp32)
    plan_in<float>(plan, settings, strategies, size, n_vectors, lifted);
  else
    plan_in<double>(plan, settings, strategies, size, n_vectors, lifted);
  if (n_adjoints > 0)
    plan.vector_bytes += sizeof(double) * static_cast<double>(size.n_elements); // energies
  if (n_modes > 0)
    plan.vector_bytes += VibrationModes::memory_estimate(size.n_nodes, n_modes);
  if (has_ratios || size.has_lame) // and the factors times them
    plan.vector_bytes += 2. * sizeof(double) * static_cast<double>(size.n_elements);
  if (size.has_lame) // of the solids, and the factors times them
    plan.vector_bytes += 4. * sizeof(double) * static_cast<double>(size.n_elements);
}
} // namespace strut
