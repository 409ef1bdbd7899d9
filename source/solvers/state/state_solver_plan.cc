// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/registry.h"
#include "source/solvers/state/vibration_modes.h"
#include "source/solvers/two_pass_operator.h"

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
             const std::size_t n_load_entries,
             const bool lifted)
{
  const Strategy<Number> &strategy =
    find_named(strategies.of<Number>(), settings.strategy, "operator");
  plan.operator_bytes +=
    operator_memory(strategy, size, size.n_elements, size.n_nodes) +
    bytes_of_dependent_dof<Number> * static_cast<double>(size.n_own_dependent_dofs);
  plan.vector_bytes +=
    (n_vectors + (size.has_springs ? 1. : 0.)) * 3. * static_cast<double>(size.n_nodes) *
      sizeof(Number) +
    (sizeof(std::uint32_t) + sizeof(Number)) * static_cast<double>(n_load_entries);
  StiffnessSolver<Number>::plan(plan, settings, strategies, size, lifted);
}

std::size_t n_entries(const LoadCase &load_case)
{
  std::size_t n = 0;
  load_case.forces.for_each([&](std::size_t, double) { ++n; });
  return n;
}
} // namespace

bool keeps_whole_vector(const bool has_dependent, const LoadCase &load_case)
{
  return has_dependent || load_case.follows_design() ||
         n_entries(load_case) > load_case.forces.size() / 4;
}

PlannedLoads planned_loads(const bool has_dependent, const std::vector<LoadCase> &load_cases)
{
  PlannedLoads loads;
  loads.n_cases = load_cases.size();
  for (const LoadCase &load_case : load_cases)
    if (keeps_whole_vector(has_dependent, load_case))
      ++loads.n_whole;
    else
      loads.n_entries += n_entries(load_case);
  return loads;
}

void plan_state_solver(MemoryPlan &plan,
                       const StateSettings &settings,
                       const StrategyLists &strategies,
                       const MeshSize &size,
                       const PlannedLoads &loads,
                       const bool lifted,
                       const std::size_t n_adjoints,
                       const std::size_t n_modes,
                       const std::size_t n_sets,
                       const bool has_ratios,
                       const std::size_t n_other_supports,
                       const bool has_masses)
{
  // Displacement of each load case; forces; adjoints, and their right-hand side.
  const auto n_displacements = static_cast<double>(n_sets * loads.n_cases);
  const double n_kept =
    settings.initial_guess == InitialGuess::zero ? 1. : static_cast<double>(n_adjoints);
  const double of_adjoints = n_adjoints == 0 ? 0. : n_kept + 1.;
  const double n_vectors   = n_displacements + static_cast<double>(loads.n_whole) + of_adjoints;
  if (settings.precision == Precision::fp32)
    plan_in<float>(plan, settings, strategies, size, n_vectors, loads.n_entries, lifted);
  else
    plan_in<double>(plan, settings, strategies, size, n_vectors, loads.n_entries, lifted);
  if (settings.initial_guess == InitialGuess::extrapolated) // Displacements of the last design.
    plan.vector_bytes += n_displacements * PackedVector<double>::memory_estimate(3 * size.n_nodes);
  if (n_adjoints > 0)
    plan.vector_bytes += sizeof(double) * static_cast<double>(size.n_elements); // Energies.
  if (n_modes > 0)
    plan.vector_bytes += static_cast<double>(1 + n_other_supports) *
                         VibrationModes::memory_estimate(size.n_nodes, n_modes, has_masses);
  for (std::size_t i = 0; i < n_other_supports; ++i)
    plan_in<double>(plan, settings, strategies, size, 0., 0, false);
  const bool of_factors = size.layout.law.answers().are_factors;
  const double n_arrays =
    (has_ratios || !of_factors ? 2. : 0.) +                // ratios
    (of_factors ? 0. : 2. * size.layout.law.n_components); // numbers of solids
  // All these, and the factors times them.
  plan.vector_bytes += n_arrays * sizeof(double) * static_cast<double>(size.n_elements);
}
} // namespace strut
