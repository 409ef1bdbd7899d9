// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/solid_body.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <utility>

#include "plugin/deck/output/run_log.h"
#include "plugin/deck/parameters/deck_remedies.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/prescribed_displacements.h"
#include "source/optimization/problem/volume_constraint.h"
#include "source/optimization/short_text.h"
#include "source/optimization/volume_threshold.h"

namespace strut
{
namespace
{
/// Relative to a limit: smaller violations are reported only at the end of a run.
constexpr double tolerance = 1e-2;

bool takes_solves(const ConstraintParameters &constraint)
{
  const ResponseEntry &entry = find_response(constraint.response);
  return entry.by_load_case || entry.n_modes != nullptr;
}

/// Whether the objective has a limit in itself, as a mass with limits of the stress has.
bool limits_by_objective(const DeckParameters &parameters)
{
  return find_response(parameters.optimization.objective).only_minimised;
}

/// Evaluates what a deck limits, for densities that no optimization has chosen.
class LimitValues
{
public:
  LimitValues(RunContext &run, StateSolver &state) : run_(run), state_(state)
  {
    for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
      cases_.push_back(state_.load_case(l).name);
  }

  /// Returns the values for each limit, the one in the objective last. Throws SolverFailure.
  std::vector<RunSummary::SolidValue> solve(const std::vector<double> &of_elements)
  {
    const DeckParameters &parameters    = run_.parameters;
    const OptimizationSettings settings = parameters.optimization.get();
    const OptimizationProblem problem   = parameters.optimization.make_problem(
      parameters.constraints, run_.backend(), parameters.problem, run_.communicator.mpi(), cases_);
    const std::vector<DesignConstraint> &limits = problem.constraints;
    Memory &memory                              = run_.backend().memory();
    const Array<double> densities(memory, of_elements);
    Array<double> stiffness(memory, of_elements.size());
    run_.backend().design_operations().interpolate(settings.interpolation, densities, stiffness);
    state_.set_stiffness(stiffness);
    state_.set_densities(densities);

    const bool objective_limits = limits_by_objective(parameters);
    const bool takes_loads =
      objective_limits ||
      std::any_of(limits.begin(), limits.end(), [&](const DesignConstraint &limit) {
        return limit.function.by_load_case;
      });
    for (std::size_t l = 0; takes_loads && l < cases_.size(); ++l)
      state_.solve_to_tolerance(l);
    const AnalysedDesign design{densities, settings.interpolation, state_};
    std::vector<RunSummary::SolidValue> values;
    for (std::size_t i = 0; i < limits.size(); ++i)
      if (const ConstraintParameters &constraint = *parameters.constraints[i];
          takes_solves(constraint))
        values.push_back({constraint.name,
                          constraint.response,
                          limits[i].limit,
                          limits[i].at_least,
                          value_of(limits[i].function, limits[i].at_least, design)});
    if (objective_limits)
      {
        value_of(problem.objective, false, design);
        if (const ResponseFault fault = problem.objective.response->fault(); fault.limit > 0.)
          values.push_back({parameters.optimization.objective,
                            "largest value",
                            fault.limit,
                            false,
                            fault.largest});
      }
    return values;
  }

private:
  double
  value_of(const DesignFunction &function, const bool at_least, const AnalysedDesign &design) const
  {
    Response &response = *function.response;
    response.begin_design();
    if (!function.by_load_case)
      return response.evaluate(design, 0, nullptr).value;
    std::vector<std::size_t> cases = function.cases;
    if (cases.empty())
      {
        cases.resize(cases_.size());
        std::iota(cases.begin(), cases.end(), std::size_t(0));
      }
    double result = 0.;
    for (const std::size_t l : cases)
      {
        const double value = response.evaluate(design, l, nullptr).value;
        if (function.over == DesignFunction::Over::sum)
          result += state_.load_case(l).weight * value;
        else if (l == cases.front() || (at_least ? value < result : value > result))
          result = value;
      }
    return result;
  }

  RunContext &run_;
  StateSolver &state_;
  std::vector<std::string> cases_;
};

/// Violation of a limit, relative to the limit; negative if the limit is met. A limit of 0 has the
/// size of the value.
double excess(const RunSummary::SolidValue &value)
{
  const double size = value.limit != 0.   ? std::abs(value.limit)
                      : value.value != 0. ? std::abs(value.value)
                                          : 1.;
  return (value.at_least ? value.limit - value.value : value.value - value.limit) / size;
}

/// Whether every design breaks a limit that the solid body breaks. This holds for the compliance
/// under forces that do not depend on the design, if only zero displacements are prescribed. Then J
/// = f.u = max_v (2 f.v - v.K v) decreases with every density. Collective.
bool is_best_of_all(const RunContext &run, const RunSummary::SolidValue &value)
{
  const std::vector<LoadCase> &load_cases = run.parameters.problem.load_cases();
  const auto is_weighed = [](const LoadCase &load_case) { return load_case.follows_design(); };
  const bool follows    = std::any_of(load_cases.begin(), load_cases.end(), is_weighed) ||
                       prescribes_displacements(run.parameters.problem.mesh());
  return value.response == "compliance" && !value.at_least && !run.communicator.any(follows);
}

/// Returns a line of a table: the limit, and the value beside it.
std::string line_of(const RunSummary::SolidValue &value)
{
  char line[256];
  std::snprintf(line,
                sizeof(line),
                "    %-24s %s %-14.6g %.6g\n",
                (value.name + ": " + value.response).substr(0, 100).c_str(),
                value.at_least ? ">=" : "<=",
                value.limit,
                value.value);
  return line;
}

std::string describe(const RunContext &run, const std::vector<RunSummary::SolidValue> &values)
{
  std::string text = "  limits, and what the solid body has:\n";
  for (const RunSummary::SolidValue &value : values)
    text += line_of(value);
  for (const RunSummary::SolidValue &value : values)
    if (excess(value) > tolerance && !is_best_of_all(run, value))
      text += "  NOTE: the solid body breaks the limit '" + value.name + "': its " +
              value.response + " is " + short_text(value.value) + ", and the limit is " +
              short_text(value.limit) + ". Designs with less material may keep it, or none does.\n";
  return text;
}
} // namespace

bool has_limits_to_solve(const DeckParameters &parameters)
{
  return parameters.method_entry().solves_any_problem &&
         (limits_by_objective(parameters) ||
          std::any_of(parameters.constraints.begin(),
                      parameters.constraints.end(),
                      [](const auto &constraint) { return takes_solves(*constraint); }));
}

std::string limit_that_solid_breaks(const std::vector<RunSummary::SolidValue> &values)
{
  for (const RunSummary::SolidValue &value : values)
    if (excess(value) > tolerance)
      return value.name;
  return "";
}

double volume_of_design(const Communicator &communicator,
                        const ElementMesh &mesh,
                        const std::vector<double> &densities)
{
  return communicator.sum(
    cpu::parallel_sum(cpu::default_n_threads(), mesh.n_elements, [&](const std::size_t e) {
      return mesh.flags[e] == DesignFlag::design ? mesh.volumes[e] * densities[e] : 0.;
    }));
}

double threshold_of_volume(const Communicator &communicator,
                           const ElementMesh &mesh,
                           const std::vector<double> &densities)
{
  std::vector<RankedVolume> elements;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      elements.push_back({densities[e], mesh.volumes[e]});
  return volume_threshold(communicator,
                          std::move(elements),
                          volume_of_design(communicator, mesh, densities));
}

SolidElements solve_as_solid_elements(RunContext &run, const Optimizer &optimizer)
{
  const DeckParameters &parameters = run.parameters;
  const ElementMesh &mesh          = parameters.problem.mesh();
  std::vector<double> densities    = optimizer.method->analysed_densities();
  SolidElements result;
  result.threshold     = threshold_of_volume(run.communicator, mesh, densities);
  const double of_void = parameters.optimization.get().criteria.minimum_density;
  const auto not_known = [&](const std::string &reason) {
    result.values.clear();
    run.log.say("  NOTE: the limits are not known for the design as solid elements: " + reason +
                '\n');
  };
  const double wanted = volume_of_design(run.communicator, mesh, densities);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      densities[e] = densities[e] >= result.threshold ? 1. : 0.;
  constexpr double most = 0.02; // relative: elements of one density are solid together
  if (std::abs(volume_of_design(run.communicator, mesh, densities) - wanted) > most * wanted)
    {
      not_known("too many elements have one density for solid ones of the same volume");
      return result;
    }
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      densities[e] = std::max(densities[e], of_void);
  try
    {
      result.values = LimitValues(run, *optimizer.state).solve(densities);
    }
  catch (const SolverFailure &failure)
    {
      not_known(deck_message(failure));
    }
  catch (
    const OutOfMemory &failure) // All ranks need the same memory, and the design has its files.
    {
      not_known(deck_message(failure));
    }
  if (std::any_of(result.values.begin(), result.values.end(), [](const auto &value) {
        return !std::isfinite(value.value);
      }))
    not_known("a value is not finite");
  return result;
}

std::string SolidElements::describe() const
{
  if (values.empty())
    return "";
  std::string text =
    "Limits, and what the design has as solid elements of the same volume, those with a density from " +
    short_text(threshold) + ":\n";
  for (const RunSummary::SolidValue &value : values)
    text += line_of(value);
  return text;
}

std::string SolidElements::fault() const
{
  constexpr double most = 2e-2; // relative to the limit
  std::string broken, stricter;
  for (const RunSummary::SolidValue &value : values)
    {
      if (!(excess(value) > most))
        continue;
      broken += (broken.empty() ? "'" : ", and '") + value.name + "': " + short_text(value.value) +
                (value.at_least ? " is less than " : " is more than ") + short_text(value.limit);
      const double share = value.limit / value.value;
      if (share > 0.5 && share < 2.)
        stricter += (stricter.empty() ? "set the limit of '" : ", that of '") + value.name +
                    "' to " + short_text(value.limit * share);
    }
  if (broken.empty())
    return "";
  return "as solid elements of the same volume the design breaks the limit of " + broken +
         ". Its grey elements are neither as stiff nor as stressed as the solid ones of a part. To mend it: " +
         (stricter.empty() ? "" : stricter + ", which leaves room for that, or ") +
         "make the design less grey, by 'Filter = projection' and its 'Maximum sharpness'";
}

std::vector<RunSummary::SolidValue> solve_solid_body(RunContext &run, const RunPlan &plan)
{
  if (!has_limits_to_solve(run.parameters))
    return {};
  std::vector<RunSummary::SolidValue> values;
  try
    {
      const TimingTable::Scope scope(run.timing, "set-up: solid body", &run.backend());
      const LongStep step(run.log, "solving the solid body");
      StateSettings settings         = plan.settings;
      settings.control.accepts_limit = false;
      settings.control.max_iterations =
        std::max(settings.control.max_iterations, SolverControl().max_iterations);
      TimingTable timing; // a separate one, as the run's table has all of this as one section
      const std::unique_ptr<StateSolver> state =
        make_state_solver({run.backend(), run.communicator, timing},
                          run.parameters.structure(),
                          run.parameters.problem.load_cases(),
                          settings);
      values = LimitValues(run, *state)
                 .solve(VolumeConstraint::uniform_design(
                   run.parameters.problem.mesh(),
                   run.parameters.optimization.get().criteria.minimum_density,
                   1.));
    }
  catch (const SolverFailure &failure)
    {
      run.log.say(
        "  NOTE: the solid body, whose values would be beside the limits, is not solved: " +
        deck_message(failure) + '\n');
      return {};
    }
  run.log.say(describe(run, values));
  for (const RunSummary::SolidValue &value : values)
    if (excess(value) > tolerance && is_best_of_all(run, value))
      throw EntryError(
        {"Constraints", value.name},
        "At most",
        "The solid body has a compliance of " + short_text(value.value) +
          ", more than the limit of " + short_text(value.limit) +
          ", and every design has more than that.\nRaise the limit, or make the solid body stiffer: its "
          "size, its supports, its material.");
  return values;
}
} // namespace strut
