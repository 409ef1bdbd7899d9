// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/gradient_table.h"

#include <strut/base/exceptions.h>
#include <strut/base/text.h>
#include <strut/optimization/gradient_check.h>

#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "plugin/deck/output/long_step.h"
#include "plugin/deck/run/run_plan.h"

namespace strut
{
namespace
{
/// Larger errors mean a wrong derivative: differences themselves have errors of about 1e-8.
constexpr double most_error = 1e-5;

/// Settings of the deck, changed to be so accurate that differences of the results are meaningful.
StateSettings exact(StateSettings settings)
{
  settings.precision             = Precision::fp64;
  settings.control.criterion     = SolverControl::Criterion::relative;
  settings.control.tolerance     = 1e-12;
  settings.control.accepts_limit = false;
  settings.initial_guess         = InitialGuess::previous;
  return settings;
}

std::string rows_of(const std::string &function, const GradientCheck &check)
{
  std::string table;
  for (const GradientCheck::Row &row : check.rows)
    {
      char text[200];
      std::snprintf(text,
                    sizeof(text),
                    "  %-24s %5d %10zu %16.8g %16.8g %10.1e\n",
                    function.c_str(),
                    row.rank,
                    row.element,
                    row.derivative,
                    row.difference,
                    check.size > 0. ? row.error() / check.size : row.error());
      table += text;
    }
  return table;
}
} // namespace

void check_gradients(RunContext &run)
{
  DeckParameters &parameters = run.parameters;
  if (!parameters.method_entry().solves_any_problem)
    throw EntryError({"Optimization"},
                     "Method",
                     "The method '" + parameters.optimization.method +
                       "' has no responses whose gradients could be checked.\nUse 'set Method = "
                       "simp'.");
  run.chosen = make_backend(parameters.compute.backend,
                            parameters.compute.n_threads,
                            run.communicator,
                            parameters.compute.communication);
  run.log.say(run.header());
  std::optional<RunPlan> plan;
  {
    const LongStep step(run.log, "making the mesh, its regions and loads");
    plan.emplace(parameters, run.communicator);
    parameters.problem.check_well_posed(true);
    run.log.say(parameters.problem.describe());
    plan->check_memory(run.chosen);
  }
  const auto state = make_state_solver({run.backend(), run.communicator, run.timing},
                                       parameters.structure(),
                                       parameters.problem.take_load_cases(),
                                       exact(plan->settings()));
  std::vector<std::string> load_cases;
  for (std::size_t l = 0; l < state->n_load_cases(); ++l)
    load_cases.push_back(state->load_case(l).name);
  const OptimizationProblem problem = parameters.optimization.make_problem(
    parameters.constraints, run.backend(), parameters.problem, run.communicator.mpi(), load_cases);
  std::vector<DesignFunction> functions = {problem.objective};
  for (const DesignConstraint &constraint : problem.constraints)
    functions.push_back(constraint.function);

  std::vector<double> densities(parameters.problem.mesh().n_elements);
  std::mt19937 random(static_cast<unsigned int>(run.communicator.rank()));
  for (double &density : densities)
    density = std::uniform_real_distribution<double>(0.3, 0.9)(random);

  std::string table =
    "\n  function                  rank    element       derivative       difference"
    "      error\n";
  std::string wrong;
  for (const DesignFunction &function : functions)
    {
      const LongStep step(run.log, "comparing derivatives with differences");
      GradientCheckSettings settings;
      settings.by_load_case     = function.by_load_case;
      settings.cases            = function.cases;
      const GradientCheck check = check_gradient(run.backend(),
                                                 run.communicator,
                                                 *state,
                                                 parameters.optimization.get().interpolation,
                                                 *function.response,
                                                 densities,
                                                 settings);
      table += rows_of(function.name, check);
      if (!(check.largest_error() <= most_error))
        add_to_list(wrong, "'" + function.name + "'");
    }
  run.log.say_always(table + "  error: over the largest derivative of the function\n");
  if (!wrong.empty())
    throw Error(
      "The gradient of " + wrong +
      " is not that of differences: see the table.\n  Correct the derivative of the response.");
}
} // namespace strut
