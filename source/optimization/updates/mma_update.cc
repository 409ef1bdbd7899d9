// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/updates/mma_update.h"

#include <string>

namespace strut
{
void MmaUpdate::Settings::declare(ParameterList &list)
{
  list.add("Initial distance",
           asymptotes.initial,
           {1e-3, 10.},
           "Of the asymptotes from the first designs, relative to the range of the densities.");
  list.add("Increase",
           asymptotes.increase,
           {1., 10.},
           "Of the distance where a density moves on in the same direction.");
  list.add("Decrease", asymptotes.decrease, {0.01, 1.}, "Of the distance where it turns.");
}

namespace
{
MovingAsymptotes::Settings settings_of(const UpdateContext &context)
{
  MovingAsymptotes::Settings settings;
  settings.move_limit = context.criteria.move_limit;
  settings.lower      = context.criteria.minimum_density;
  settings.asymptotes = settings_from<MmaUpdate::Settings>(context.values).asymptotes;
  return settings;
}
} // namespace

MmaUpdate::MmaUpdate(const UpdateContext &context, const bool is_global)
  : is_global_(is_global)
  , columns_({{"kkt", "kkt"}, {"dual_passes", ""}})
  , asymptotes_(context.backend, context.communicator, context.flags, settings_of(context))
{
  if (is_global)
    columns_.push_back({"trials", "trials"});
}

DesignUpdate::Step MmaUpdate::step(const DesignPoint &point, Array<double> &next)
{
  MovingAsymptotes::Evaluate in_their_sizes;
  if (is_global_)
    in_their_sizes = [&](const Array<double> &trial) {
      std::vector<double> values = point.evaluate(trial);
      values[0] /= point.objective.size;
      for (std::size_t i = 1; i < values.size(); ++i)
        values[i] /= point.constraints[i - 1].size;
      return values;
    };
  const MovingAsymptotes::Step found = asymptotes_.step(point, next, in_their_sizes);
  Step step{{found.kkt, static_cast<double>(found.passes)}};
  if (found.is_relaxed)
    step.warning =
      "by the approximations at these designs no step within the move limit keeps all constraints: the next design breaks them "
      "by as little as it can";
  else if (!found.is_solved)
    step.warning = "the subproblem of the moving asymptotes is not solved to its tolerance";
  if (is_global_ && !found.is_conservative && step.warning.empty())
    step.warning =
      "after so many trials the approximations are still not above the functions: solve more tightly";
  if (is_global_)
    step.values.push_back(found.trials);
  return step;
}

std::string MmaUpdate::obstacle(const OptimizationProblem &problem, const std::size_t n_load_cases)
{
  constexpr std::size_t most = 100;
  const std::size_t n        = n_functions(problem, n_load_cases);
  return n > most
           ? "it takes at most 100 functions, a constraint being one for each of its load cases, and there are " +
               std::to_string(n)
           : "";
}
} // namespace strut
