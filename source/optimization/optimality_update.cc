// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/optimality_update.h"
#include "source/optimization/bracketed_root.h"

#include <algorithm>
#include <cmath>

namespace strut
{
OptimalityUpdate::OptimalityUpdate(Backend &backend,
                                   const Communicator &communicator,
                                   DesignChain &map,
                                   const OptimalityCriteria &criteria,
                                   const VolumeConstraint &volume,
                                   const Array<DesignFlag> &flags,
                                   const Array<double> &volumes)
  : backend_(backend)
  , communicator_(communicator)
  , map_(map)
  , criteria_(criteria)
  , volume_(volume)
  , flags_(flags)
  , volumes_(volumes)
  , trial_densities_(backend.memory(), map.is_affine() ? 0 : volumes.size())
{}

double OptimalityUpdate::material(const Array<double> &densities) const
{
  return communicator_.sum(
           backend_.vector_operations<double>().dot(volumes_.size(), volumes_, densities)) -
         volume_.fixed;
}

double OptimalityUpdate::trial(const Fields &fields, const double multiplier, Array<double> &next)
{
  const double sum = backend_.design_operations().optimality_update(criteria_,
                                                                    multiplier,
                                                                    fields.design,
                                                                    fields.objective_sensitivities,
                                                                    fields.volume_sensitivities,
                                                                    flags_,
                                                                    next);
  if (map_.empty()) // the sum runs over non-design elements too, which never change
    return communicator_.sum(sum) - volume_.fixed;
  if (map_.is_affine())
    return communicator_.sum(sum) + offset_;
  map_.forward(next, trial_densities_);
  return material(trial_densities_);
}

OptimalityUpdate::Step
OptimalityUpdate::step(const Fields &fields, const double multiplier, Array<double> &next)
{
  // The volume falls monotonically with lambda. Bracket, starting from the last multiplier, then
  // bisect the logarithm. Where every density sits at its move limit the target may be out of reach
  // for this step; the bracket then ends at the limit.
  const double tolerance    = map_.empty() ? 1e-6 : 1e-9;
  constexpr int max_factors = 200;
  const auto holds          = [&](const double volume) {
    return std::abs(volume - volume_.target) <= tolerance * volume_.target;
  };
  if (map_.is_affine() && !map_.empty())
    offset_ =
      material(fields.densities) - communicator_.sum(backend_.vector_operations<double>().dot(
                                     volumes_.size(), fields.volume_sensitivities, fields.design));

  double lambda = multiplier;
  double volume = trial(fields, lambda, next);
  if (holds(volume))
    return {lambda, true};

  const bool grow     = volume > volume_.target;
  double factor       = grow ? 2. : 0.5;
  double other        = lambda;
  double other_volume = volume;
  for (int i = 0; i < max_factors && (volume > volume_.target) == grow; ++i)
    {
      other        = lambda;
      other_volume = volume;
      lambda *= factor;
      if (i % 4 == 3)
        factor *= factor; // far away: the first iteration has no idea of the scale
      if (!(lambda > 1e-200 && lambda < 1e200))
        return {other, false};
      volume = trial(fields, lambda, next);
      if (holds(volume))
        return {lambda, true};
    }

  if (!map_.is_affine()) // a trial costs as much as the maps: take few
    {
      lambda = std::exp(bracketed_root(std::log(other),
                                       other_volume - volume_.target,
                                       std::log(lambda),
                                       volume - volume_.target,
                                       tolerance * volume_.target,
                                       [&](const double log_lambda) {
                                         volume = trial(fields, std::exp(log_lambda), next);
                                         return volume - volume_.target;
                                       }));
      return {lambda, holds(volume)};
    }

  double lower = std::min(lambda, other); // volume above the target
  double upper = std::max(lambda, other); // below
  while (upper > lower * (1. + 1e-14))
    {
      lambda = std::sqrt(lower * upper);
      volume = trial(fields, lambda, next);
      if (holds(volume))
        break;
      (volume > volume_.target ? lower : upper) = lambda;
    }
  return {lambda, holds(volume)};
}
} // namespace strut
