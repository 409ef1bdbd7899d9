// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/best_design.h"

#include <cmath>

namespace strut
{
// With accepts_limit, objectives come from displacements of unfinished solves. Objectives that can
// only be minimised have penalties that differ from design to design. Neither of them can be
// compared.
BestDesign::BestDesign(const RunContext &run, const Optimizer &optimizer)
  : parameters_(run.parameters)
  , optimizer_(optimizer)
  , exists_(parameters_.method_entry().solves_any_problem &&
            !optimizer.settings.control.accepts_limit &&
            !find_response(parameters_.optimization.objective).only_minimised)
  , limits_volume_(
      parameters_.optimization
        .problem_without_responses(parameters_.constraints, optimizer.state->n_load_cases())
        .limits_volume)
{
  for (const auto &constraint : parameters_.constraints)
    constraints_.push_back(constraint->get());
}

bool BestDesign::holds(const IterationRecord &record) const
{
  // Relative violation of a limit that is accepted, as in the verdict on the last design.
  constexpr double tolerance = 1e-3;
  std::size_t i              = 0;
  const auto &columns        = optimizer_.method->columns();
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].is_constraint)
      {
        const DesignConstraint &constraint = constraints_.at(i++);
        const double excess =
          (constraint.at_least ? -1. : 1.) * (record.values.at(c) - constraint.limit);
        if (!(excess <= tolerance * std::abs(constraint.limit)))
          return false;
      }
  return !limits_volume_ || record.volume_fraction <=
                              (1. + tolerance) * parameters_.optimization.get().volume_fraction;
}

std::optional<std::size_t> BestDesign::place() const
{
  std::optional<std::size_t> best;
  const auto &history = optimizer_.method->history();
  if (!exists_ || history.empty() || !optimizer_.map.is_settled(history.back().iteration))
    return best;
  const bool maximises    = parameters_.optimization.maximises();
  const unsigned int from = optimizer_.map.unchanged_since(history.back().iteration);
  for (std::size_t i = 0; i < history.size(); ++i)
    if (history[i].iteration >= from && holds(history[i]) &&
        (!best || (maximises ? history[i].objective > history[*best].objective
                             : history[i].objective < history[*best].objective)))
      best = i;
  return best;
}

void BestDesign::update()
{
  if (!parameters_.output.keeps_best)
    return;
  const DesignMethod &method = *optimizer_.method;
  if (const auto best = place(); best && *best + 1 == method.history().size())
    {
      densities_ = method.analysed_densities();
      iteration_ = method.history()[*best].iteration;
    }
}
} // namespace strut
