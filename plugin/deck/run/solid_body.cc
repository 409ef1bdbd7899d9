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

#include "plugin/deck/output/long_step.h"
#include "plugin/deck/parameters/deck_remedies.h"
#include "source/optimization/problem/volume_constraint.h"
#include "source/optimization/short_text.h"

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

/// The body whose design elements all have the density 1.
class SolidBody
{
public:
  SolidBody(RunContext &run, StateSettings settings)
    : run_(run), mesh_(run.parameters.problem.mesh())
  {
    settings.control.accepts_limit = false;
    settings.control.max_iterations =
      std::max(settings.control.max_iterations, SolverControl().max_iterations);
    state_ = make_state_solver({run.backend(), run.communicator, timing_},
                               run.parameters.structure(),
                               run.parameters.problem.load_cases(),
                               settings);
    for (std::size_t l = 0; l < state_->n_load_cases(); ++l)
      cases_.push_back(state_->load_case(l).name);
  }

  /// Returns the values of the solid body for each limit. Throws SolverFailure.
  std::vector<RunSummary::SolidValue> solve()
  {
    const DeckParameters &parameters           = run_.parameters;
    const OptimizationSettings settings        = parameters.optimization.get();
    const std::vector<DesignConstraint> limits = parameters.optimization
                                                   .make_problem(parameters.constraints,
                                                                 run_.backend(),
                                                                 parameters.problem,
                                                                 run_.communicator.mpi(),
                                                                 cases_)
                                                   .constraints;
    Memory &memory = run_.backend().memory();
    const Array<double> densities(
      memory, VolumeConstraint::uniform_design(mesh_, settings.criteria.minimum_density, 1.));
    Array<double> stiffness(memory, mesh_.n_elements);
    run_.backend().design_operations().interpolate(settings.interpolation, densities, stiffness);
    state_->set_stiffness(stiffness);
    state_->set_densities(densities);

    const bool takes_loads =
      std::any_of(limits.begin(), limits.end(), [&](const DesignConstraint &limit) {
        return limit.function.by_load_case;
      });
    for (std::size_t l = 0; takes_loads && l < cases_.size(); ++l)
      state_->solve(l);
    const AnalysedDesign design{densities, settings.interpolation, *state_};
    std::vector<RunSummary::SolidValue> values;
    for (std::size_t i = 0; i < limits.size(); ++i)
      if (const ConstraintParameters &constraint = *parameters.constraints[i];
          takes_solves(constraint))
        values.push_back({constraint.name,
                          constraint.response,
                          limits[i].limit,
                          limits[i].at_least,
                          value_of(limits[i], design)});
    return values;
  }

private:
  double value_of(const DesignConstraint &limit, const AnalysedDesign &design) const
  {
    const DesignFunction &function = limit.function;
    Response &response             = *function.response;
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
          result += state_->load_case(l).weight * value;
        else if (l == cases.front() || (limit.at_least ? value < result : value > result))
          result = value;
      }
    return result;
  }

  RunContext &run_;
  const ElementMesh &mesh_;
  TimingTable timing_; ///< a separate one, as the run's table has all of this as one section
  std::unique_ptr<StateSolver> state_;
  std::vector<std::string> cases_;
};

/// Violation of a limit, relative to the limit; negative if the limit is met.
double excess(const RunSummary::SolidValue &value)
{
  const double size = value.limit != 0. ? std::abs(value.limit) : 1.;
  return (value.at_least ? value.limit - value.value : value.value - value.limit) / size;
}

/// Whether every design breaks a limit that the solid body breaks. This holds for the compliance
/// under forces that do not depend on the design, if only zero displacements are prescribed. Then J
/// = f.u = max_v (2 f.v - v.K v) decreases with every density. Collective.
bool is_best_of_all(const RunContext &run, const RunSummary::SolidValue &value)
{
  const std::vector<LoadCase> &load_cases = run.parameters.problem.load_cases();
  const std::vector<double> &prescribed   = run.parameters.problem.mesh().constrained_values;
  const auto is_weighed = [](const LoadCase &load_case) { return load_case.has_weight; };
  const auto is_moved   = [](const double u) { return u != 0.; };
  const bool follows    = std::any_of(load_cases.begin(), load_cases.end(), is_weighed) ||
                       std::any_of(prescribed.begin(), prescribed.end(), is_moved);
  return value.response == "compliance" && !value.at_least && !run.communicator.any(follows);
}

std::string describe(const RunContext &run, const std::vector<RunSummary::SolidValue> &values)
{
  std::string text = "  limits, and what the solid body has:\n";
  for (const RunSummary::SolidValue &value : values)
    {
      char line[256];
      std::snprintf(line,
                    sizeof(line),
                    "    %-24s %s %-14.6g %.6g\n",
                    (value.name + ": " + value.response).substr(0, 100).c_str(),
                    value.at_least ? ">=" : "<=",
                    value.limit,
                    value.value);
      text += line;
    }
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
         std::any_of(parameters.constraints.begin(),
                     parameters.constraints.end(),
                     [](const auto &constraint) { return takes_solves(*constraint); });
}

std::string limit_that_solid_breaks(const std::vector<RunSummary::SolidValue> &values)
{
  for (const RunSummary::SolidValue &value : values)
    if (excess(value) > tolerance)
      return value.name;
  return "";
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
      values = SolidBody(run, plan.settings()).solve();
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
