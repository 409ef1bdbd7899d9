// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/operators/elasticity_operator.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "plugin/driver/application_loop.h"
#include "plugin/driver/memory_estimate.h"
#include "plugin/driver/versions.h"
#include "plugin/output/atomic_file.h"
#include "plugin/output/cell_keys.h"
#include "plugin/output/checkpoint.h"
#include "plugin/parameters/default_deck.h"

namespace strut::plugin
{
namespace
{
/// Entries that may differ between a checkpoint and the run that goes on from it: they decide how
/// long, how often and where, not what is computed.
const std::vector<std::string> may_change = {"Output/",
                                             "Threads",
                                             "Memory limit",
                                             "Optimization/Maximum iterations",
                                             "Optimization/Stopping criterion",
                                             "Optimization/Stopping tolerance",
                                             "Solver/Maximum iterations"};

/// The estimate for a strategy of this name, if the list has it.
template <typename Number>
std::unique_ptr<MemoryEstimate> estimate_for(const StrategyList<Number> &strategies,
                                             const std::string &name,
                                             const Problem &problem,
                                             const bool filtered)
{
  for (const Strategy<Number> &strategy : strategies)
    if (strategy.name == name)
      return std::make_unique<MemoryEstimate>(estimate_memory(strategy,
                                                              problem.mesh().n_elements,
                                                              problem.mesh().n_nodes,
                                                              problem.load_cases().size(),
                                                              filtered));
  return nullptr;
}
} // namespace

void Application::print_memory(std::ostream &out) const
{
  const Communicator communicator(communicator_);
  const bool filtered = parameters_.optimization.filter_radius > 0.;
  const auto line     = [&](const std::string &backend, const auto &strategies) {
    const auto estimate =
      estimate_for(strategies, parameters_.compute.strategy, parameters_.problem, filtered);
    const double total = communicator.max(estimate == nullptr ? 0. : estimate->total());
    out << "    " << backend << "  ";
    if (estimate != nullptr)
      out << format_bytes(total) << (communicator.size() > 1 ? " on the fullest rank" : "") << '\n';
    else
      out << "has no operator '" << parameters_.compute.strategy << "'\n";
  };
  out << "  memory estimate, operator '" << parameters_.compute.strategy << "', precision "
      << parameters_.compute.precision << ":\n";
  if (parameters_.compute.precision == "double")
    {
      line("cpu ", cpu_strategies<double>());
      if (cuda_compiled())
        line("cuda", cuda_strategies<double>());
    }
  else
    {
      line("cpu ", cpu_strategies<float>());
      if (cuda_compiled())
        line("cuda", cuda_strategies<float>());
    }
  if (!cuda_compiled())
    out << "    cuda  not in this build\n";
}

void Application::check_operator() const
{
  if (!parameters_.compute.deterministic)
    return;
  const auto check = [&](const auto &strategies) {
    std::string others;
    bool refused = false;
    for (const auto &strategy : strategies)
      if (strategy.deterministic)
        others += (others.empty() ? "" : ", ") + strategy.name;
      else
        refused = refused || strategy.name == parameters_.compute.strategy;
    if (refused)
      throw EntryError({},
                       "Operator",
                       "On the backend '" + backend_.backend->name() + "' the operator '" +
                         parameters_.compute.strategy +
                         "' adds in the order in which threads arrive, and the deck asks for "
                         "'Deterministic = true'.\nDeterministic there: " +
                         others + ".");
  };
  if (parameters_.compute.precision == "double")
    check(backend_.backend->strategies<double>());
  else
    check(backend_.backend->strategies<float>());
}

void Application::check_memory()
{
  const Communicator communicator(communicator_);
  Backend &backend    = *backend_.backend;
  const bool filtered = parameters_.optimization.filter_radius > 0.;
  const auto estimate = parameters_.compute.precision == "double"
                          ? estimate_for(backend.strategies<double>(),
                                         parameters_.compute.strategy,
                                         parameters_.problem,
                                         filtered)
                          : estimate_for(backend.strategies<float>(),
                                         parameters_.compute.strategy,
                                         parameters_.problem,
                                         filtered);
  if (estimate == nullptr)
    find_strategy<double>(backend, parameters_.compute.strategy); // throws, with the list

  // Ranks that share a memory all see the same free bytes; each may take its share.
  const double available =
    parameters_.compute.memory_limit > 0.
      ? parameters_.compute.memory_limit * 1e6
      : static_cast<double>(backend.memory().available()) / backend_.n_sharing;
  const bool too_much = communicator.any(estimate->total() > available);
  if (too_much)
    {
      MemoryEstimate largest;
      largest.operator_bytes = communicator.max(estimate->operator_bytes);
      largest.vector_bytes   = communicator.max(estimate->vector_bytes);
      largest.design_bytes   = communicator.max(estimate->design_bytes);
      require_memory(largest,
                     communicator.min(available),
                     backend.name(),
                     parameters_.compute.strategy);
    }
}

void Application::write_parameters() const
{
  if (Communicator(communicator_).rank() != 0)
    return;
  std::ostringstream header, text;
  print_header(header);
  std::istringstream lines(header.str());
  for (std::string line; std::getline(lines, line);)
    text << "# " << line << '\n';
  write_default_deck(dealii::ParameterAcceptor::prm, text);
  write_file_atomically(output_directory_ + "/parameters.prm", text.str());

  std::ifstream original(parameters_.deck.file_name());
  std::stringstream copy;
  copy << original.rdbuf();
  write_file_atomically(output_directory_ + "/original.prm", copy.str());
}

void Application::write_results(Loop &loop) const
{
  const std::vector<double> densities = loop.simp.analysed_densities();
  const Interpolation interpolation   = parameters_.optimization.get().interpolation;
  std::vector<double> stiffness;
  stiffness.reserve(densities.size());
  for (const double density : densities)
    stiffness.push_back(interpolation.stiffness(density));

  std::vector<ResultWriter::LoadCaseResult> results;
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    results.push_back({loop.state->load_case(l).name, loop.state->displacement(l)});
  loop.writer.write(loop.simp.history().back().iteration, densities, stiffness, results);
}

void Application::write_checkpoint(Loop &loop) const
{
  CheckpointState state;
  state.parameters      = all_entries(dealii::ParameterAcceptor::prm);
  state.history         = loop.simp.history();
  state.written_results = loop.writer.written();
  state.next_design     = loop.simp.next_design();
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    state.displacements.push_back(loop.state->displacement(l));
  plugin::write_checkpoint(checkpoint_file(),
                           communicator_,
                           parameters_.problem.mesh(),
                           cell_keys(parameters_.problem.dof_handler(), parameters_.problem.mesh()),
                           state);
}

void Application::resume(Loop &loop) const
{
  // entries first: a changed mesh should name its entry
  compare_parameters(checkpoint_file(),
                     read_checkpoint_parameters(checkpoint_file(), communicator_),
                     all_entries(dealii::ParameterAcceptor::prm),
                     may_change);
  const CheckpointState state =
    read_checkpoint(checkpoint_file(),
                    communicator_,
                    parameters_.problem.mesh(),
                    cell_keys(parameters_.problem.dof_handler(), parameters_.problem.mesh()));
  loop.simp.restore(state.next_design, state.history);
  loop.writer.set_written(state.written_results);
  for (std::size_t l = 0; l < loop.state->n_load_cases(); ++l)
    loop.state->set_displacement(l, state.displacements[l]);
}
} // namespace strut::plugin
