// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/text.h>

#include <algorithm>

#include "plugin/deck/run/design_run.h"
#include "plugin/deck/run/estimates.h"
#include "plugin/deck/run/require_memory.h"

namespace strut::plugin
{
std::unique_ptr<MemoryPlan> DesignRun::plan(const StrategyLists &strategies,
                                            const bool on_device) const
{
  const Problem &problem      = parameters_.problem;
  const auto &optimization    = parameters_.optimization;
  const ElementMesh &mesh     = problem.mesh();
  const std::string &strategy = parameters_.compute.strategy;
  // as the operator sees it: one rank with prescribed displacements suffices
  const bool lifted = Communicator(communicator_)
                        .any(std::any_of(mesh.constrained_values.begin(),
                                         mesh.constrained_values.end(),
                                         [](const double v) { return v != 0.; }));
  const auto is_missing_in = [&](const auto &list) {
    return std::none_of(list.begin(), list.end(), [&](const auto &entry) {
      return entry.name == strategy;
    });
  };
  if (parameters_.compute.precision == Precision::fp32 ? is_missing_in(strategies.in_float)
                                                       : is_missing_in(strategies.in_double))
    return nullptr;
  auto plan           = std::make_unique<MemoryPlan>();
  const MeshSize size = size_of(Communicator(communicator_), structure(), on_device);
  plan_state_solver(*plan,
                    parameters_.solver.get(parameters_.compute, preconditioner_.name),
                    strategies,
                    size,
                    problem.load_cases().size(),
                    lifted,
                    optimization.solves_adjoints(parameters_.constraints));
  plan->design_bytes = method_entry().memory_estimate(size, optimization.filter_radius) +
                       optimization.map_memory_estimate(mesh.n_elements) +
                       optimization.update_memory_estimate(parameters_.constraints,
                                                           problem.load_cases().size(),
                                                           mesh.n_elements);
  return plan;
}

void DesignRun::print_memory(std::ostream &out) const
{
  const Communicator communicator(communicator_);
  // meshes, loads, and the last result and checkpoint while they are written; the driver (seen on one H200)
  const ElementMesh &mesh = parameters_.problem.mesh();
  const double on_host    = communicator.max(
    4.5e8 + 145. * static_cast<double>(mesh.n_elements) +
    24. * static_cast<double>(mesh.n_nodes * parameters_.problem.load_cases().size()));
  const auto line = [&](const std::string &backend,
                        const bool on_device,
                        const auto &in_double,
                        const auto &in_float) {
    const auto found   = plan({in_double, in_float}, on_device);
    const double total = communicator.max(found == nullptr ? 0. : found->total());
    out << "    " << backend << "  ";
    if (found != nullptr)
      out << format_bytes(total)
          << (on_device ? " of the GPU, " + format_bytes(on_host) + " of the host" : "")
          << (communicator.size() > 1 ? " on the fullest rank" : "") << '\n';
    else
      out << "has no operator '" << parameters_.compute.strategy << "'\n";
  };
  out << "  memory estimate, operator '" << parameters_.compute.strategy << "', precision "
      << to_string(parameters_.compute.precision) << ":\n";
  line("cpu ", false, cpu_strategies<double>(), cpu_strategies<float>());
  if (cuda_compiled())
    line("cuda", true, cuda_strategies<double>(), cuda_strategies<float>());
  else
    out << "    cuda  not in this build\n";
}

void DesignRun::print_disk(std::ostream &out) const
{
  const Communicator communicator(communicator_);
  const ElementMesh &mesh = parameters_.problem.mesh();
  const auto n_elements   = static_cast<double>(communicator.sum(mesh.n_elements));
  const auto n_nodes      = static_cast<double>(communicator.sum(mesh.n_owned_nodes));
  const auto n_cases      = static_cast<double>(parameters_.problem.load_cases().size());
  const std::size_t n     = parameters_.optimization.get().stopping.max_iterations;
  const auto n_files      = [n](const std::size_t every) { // one at the end in any case
    return every == 0 ? 1 : (n + every - 1) / every;
  };
  DiskEstimate disk;
  disk.n_results     = n_files(parameters_.output.results_every);
  disk.result_bytes  = 14 * n_elements + 12 * n_nodes * n_cases; // seen, compressed
  disk.n_checkpoints = n_files(parameters_.output.checkpoint_every);
  disk.checkpoint_bytes =
    8 * n_elements *
      (1. +
       static_cast<double>(find_design_update(parameters_.optimization.get().update).n_fields)) +
    24 * n_nodes * n_cases;
  out << disk.text();
}

void DesignRun::print_time(std::ostream &out)
{
  const Communicator communicator(communicator_);
  if (communicator.size() > 1)
    {
      out << "  time estimate: on one rank only\n";
      return;
    }
  try
    {
      const ChosenBackend backend =
        make_backend(parameters_.compute.backend, parameters_.compute.n_threads, communicator);
      const std::size_t n_elements = parameters_.problem.mesh().n_elements;
      const IterationTime time =
        measure_iteration(backend,
                          parameters_.problem.material(),
                          parameters_.solver.get(parameters_.compute, preconditioner_.name),
                          n_elements);
      const auto n_solves =
        static_cast<unsigned int>(parameters_.optimization.get().stopping.max_iterations *
                                  parameters_.problem.load_cases().size());
      out << describe_time(time, n_elements, n_solves, preconditioner_.name == "multigrid");
    }
  catch (const Error &error)
    {
      out << "  time estimate: none. " << error.what() << '\n';
    }
}

void DesignRun::check_memory()
{
  const Communicator communicator(communicator_);
  Backend &backend = *backend_.backend;
  const auto found =
    plan({backend.strategies<double>(), backend.strategies<float>()}, !backend.memory().is_host());
  if (found == nullptr && parameters_.compute.precision == Precision::fp32)
    find_strategy<float>(backend, parameters_.compute.strategy); // throws, with the list
  else if (found == nullptr)
    find_strategy<double>(backend, parameters_.compute.strategy);

  // Ranks that share a memory all see the same free bytes; each may take its share.
  const double available =
    parameters_.compute.memory_limit > 0.
      ? parameters_.compute.memory_limit * 1e6
      : static_cast<double>(backend.memory().available()) / backend_.n_sharing;
  if (!communicator.any(found->total() > available))
    return;
  MemoryPlan largest;
  largest.operator_bytes       = communicator.max(found->operator_bytes);
  largest.vector_bytes         = communicator.max(found->vector_bytes);
  largest.preconditioner_bytes = communicator.max(found->preconditioner_bytes);
  largest.design_bytes         = communicator.max(found->design_bytes);
  require_memory(largest,
                 communicator.min(available),
                 backend.name(),
                 parameters_.compute.strategy);
}
} // namespace strut::plugin
