// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_parts.h"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "plugin/deck/run/versions.h"

namespace strut
{
namespace
{
constexpr std::size_t most_ranks_in_log = 64;

/// Makes the problem with its responses and logs their regions. For methods with a fixed problem it
/// is empty.
OptimizationProblem make_problem(RunContext &run, const std::vector<std::string> &load_cases)
{
  const DeckParameters &parameters = run.parameters;
  if (!parameters.method_entry().solves_any_problem)
    return {};
  std::string regions;
  OptimizationProblem problem = parameters.optimization.make_problem(parameters.constraints,
                                                                     run.backend(),
                                                                     parameters.problem,
                                                                     run.communicator.mpi(),
                                                                     load_cases,
                                                                     &regions);
  run.log.say(regions);
  return problem;
}
} // namespace

RunContext::RunContext(const DeckChoice &deck, const Audience audience, MPI_Comm mpi)
  : communicator(mpi)
  , parameters(deck.file, deck.settings)
  , folder(parameters.output.directory.empty() ? "output/" + parameters.base_name
                                               : parameters.output.directory)
  , log(audience == Audience::programs ? std::cerr : std::cout,
        communicator.rank() == 0,
        audience == Audience::quiet)
  , progress(audience == Audience::programs && communicator.rank() == 0 ? &std::cout : nullptr)
{}

std::string RunContext::header() const
{
  std::string ranks_table;
  for (std::size_t i = 0; i < std::min(chosen.ranks.size(), most_ranks_in_log); ++i)
    ranks_table += "             " + chosen.ranks[i] + '\n';
  std::ostringstream out;
  out << strut_version() << ", " << library_versions() << '\n'
      << "  deck       " << parameters.deck.file_name() << '\n'
      << "  backend    " << backend().name() << " (" << chosen.reason << ")\n"
      << "  device     " << backend().device() << '\n'
      << "  ranks      " << communicator.size()
      << (chosen.communication.empty() ? "" : ", by " + chosen.communication) << '\n'
      << ranks_table << "  precision  " << to_string(parameters.compute.precision) << '\n';
  for (const std::string &library : parameters.compute.libraries)
    out << "  library    " << library << '\n';
  for (const Deck::Setting &setting : parameters.settings)
    out << "  " << setting.option << std::string(11 - setting.option.size(), ' ') << setting.text
        << '\n';
  return out.str();
}

Optimizer::Optimizer(RunContext &run, const StateSettings &settings)
  : settings(settings)
  , state(make_state_solver({run.backend(), run.communicator, run.timing},
                            run.parameters.structure(),
                            run.parameters.problem.take_load_cases(),
                            settings))
  , map(run.parameters.optimization.make_map(run.backend(),
                                             run.communicator,
                                             run.parameters.problem.mesh()))
  , method(run.parameters.optimization.make_method({{run.backend(), run.communicator, run.timing},
                                                    run.parameters.problem.mesh(),
                                                    *state,
                                                    make_problem(run, load_case_names()),
                                                    map,
                                                    run.parameters.optimization.get(),
                                                    run.parameters.optimization.filter_radius,
                                                    run.parameters.problem.mirrors()}))
{}

std::vector<std::string> Optimizer::load_case_names() const
{
  std::vector<std::string> names;
  for (std::size_t l = 0; l < state->n_load_cases(); ++l)
    names.push_back(state->load_case(l).name);
  return names;
}

std::vector<SharedField> Optimizer::displacements() const
{
  std::vector<SharedField> fields;
  for (std::size_t l = 0; l < state->n_load_cases(); ++l)
    fields.emplace_back(state->displacement(l));
  return fields;
}
} // namespace strut
