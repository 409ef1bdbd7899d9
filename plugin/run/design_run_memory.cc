// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/text.h>
#include <strut/optimization/filter.h>
#include <strut/optimization/objective.h>
#include <strut/solvers/elasticity_operator.h>

#include <sstream>

#include "plugin/run/design_run.h"
#include "plugin/run/memory_estimate.h"

namespace strut::plugin
{
namespace
{
/// The strategy with this name, or null.
template <typename Number>
const Strategy<Number> *find(const StrategyList<Number> &strategies, const std::string &name)
{
  for (const Strategy<Number> &strategy : strategies)
    if (strategy.name == name)
      return &strategy;
  return nullptr;
}
} // namespace

MultigridSettings DesignRun::multigrid_settings(const StrategyList<double> &strategies) const
{
  MultigridSettings settings = parameters_.solver.get(parameters_.compute.strategy).multigrid;
  if (parameters_.compute.deterministic && preconditioner_.name == "multigrid")
    settings.strategy = deterministic_level_strategy(strategies);
  return settings;
}

std::unique_ptr<MemoryEstimate> DesignRun::estimate(const StrategyList<double> &in_double,
                                                    const StrategyList<float> &in_float) const
{
  const Problem &problem       = parameters_.problem;
  const std::string &name      = parameters_.compute.strategy;
  const std::string &precision = parameters_.compute.precision;
  const std::size_t n_elements = problem.mesh().n_elements;
  const std::size_t n_nodes    = problem.mesh().n_nodes;
  const auto without_multigrid = [&](const auto &strategies) -> std::unique_ptr<MemoryEstimate> {
    const auto *const strategy = find(strategies, name);
    if (strategy == nullptr)
      return nullptr;
    return std::make_unique<MemoryEstimate>(
      estimate_memory(*strategy,
                      n_elements,
                      n_nodes,
                      problem.load_cases().size(),
                      parameters_.optimization.filter_radius > 0.));
  };
  auto result = precision == "float" ? without_multigrid(in_float) : without_multigrid(in_double);
  if (result != nullptr && find_objective(parameters_.optimization.objective).second_solve)
    result->vector_bytes += // the adjoint and what it is solved for; energies
      6. * n_nodes * (precision == "float" ? sizeof(float) : sizeof(double)) +
      sizeof(double) * static_cast<double>(n_elements);
  if (result != nullptr && parameters_.optimization.filter_radius > 0.)
    result->design_bytes += sizeof(double) * static_cast<double>(n_elements) *
                            find_filter(parameters_.optimization.filter).n_fields;
  if (result == nullptr || preconditioner_.name != "multigrid")
    return result;
  const MultigridSettings multigrid = multigrid_settings(in_double);
  const auto of_levels              = [&](const auto &strategies) {
    return multigrid_memory_estimate(*find(strategies, multigrid.strategy),
                                     multigrid.coarse_operators,
                                     n_elements,
                                     n_nodes);
  };
  result->multigrid_bytes = precision == "double" ? of_levels(in_double) : of_levels(in_float);
  return result;
}

void DesignRun::print_memory(std::ostream &out) const
{
  const Communicator communicator(communicator_);
  const auto line = [&](const std::string &backend, const auto &in_double, const auto &in_float) {
    const auto found   = estimate(in_double, in_float);
    const double total = communicator.max(found == nullptr ? 0. : found->total());
    out << "    " << backend << "  ";
    if (found != nullptr)
      out << format_bytes(total) << (communicator.size() > 1 ? " on the fullest rank" : "") << '\n';
    else
      out << "has no operator '" << parameters_.compute.strategy << "'\n";
  };
  out << "  memory estimate, operator '" << parameters_.compute.strategy << "', precision "
      << parameters_.compute.precision << ":\n";
  line("cpu ", cpu_strategies<double>(), cpu_strategies<float>());
  if (cuda_compiled())
    line("cuda", cuda_strategies<double>(), cuda_strategies<float>());
  else
    out << "    cuda  not in this build\n";
}

void DesignRun::check_memory()
{
  const Communicator communicator(communicator_);
  Backend &backend = *backend_.backend;
  const auto found = estimate(backend.strategies<double>(), backend.strategies<float>());
  if (found == nullptr)
    find_strategy<double>(backend, parameters_.compute.strategy); // throws, with the list

  // Ranks that share a memory all see the same free bytes; each may take its share.
  const double available =
    parameters_.compute.memory_limit > 0.
      ? parameters_.compute.memory_limit * 1e6
      : static_cast<double>(backend.memory().available()) / backend_.n_sharing;
  if (!communicator.any(found->total() > available))
    return;
  MemoryEstimate largest;
  largest.operator_bytes  = communicator.max(found->operator_bytes);
  largest.vector_bytes    = communicator.max(found->vector_bytes);
  largest.multigrid_bytes = communicator.max(found->multigrid_bytes);
  largest.design_bytes    = communicator.max(found->design_bytes);
  require_memory(largest,
                 communicator.min(available),
                 backend.name(),
                 parameters_.compute.strategy);
}
} // namespace strut::plugin
