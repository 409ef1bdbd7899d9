// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/updates/bracketed_root.h"
#include "source/optimization/updates/design_update.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// Optimality criteria, which lead from one design to the next. They find the multiplier with which
/// the densities of the next design hold the volume, `sum_e v_e rho_e(x) = target`. The tolerance
/// is that of the criteria, or 1e-9 where maps change densities, as published histories require.
///
/// The only constraint of the problem is the volume, with the derivative `dV/dx_e`.
///
/// The volume of a trial design x is that of its densities:
///
/// - without maps `sum_e v_e x_e`,
/// - with affine maps exactly `V(x_0) + sum_e dV/dx_e (x_e - x_0e)` from the design x_0 before,
/// - with other maps that of the mapped trial.
///
/// Solid and void elements never change, so they take no part in the differences.
class OptimalityUpdate : public DesignUpdate
{
public:
  explicit OptimalityUpdate(const UpdateContext &context);

  /// Compute the next design. The search for lambda, the only column, begins with the lambda of the
  /// last step.
  Step step(const DesignPoint &point, Array<double> &next) override;

  const std::vector<HistoryColumn> &columns() const override;
  bool fills_volume() const override
  {
    return true;
  }
  void set_move_limit(const double move_limit) override
  {
    criteria_.move_limit = move_limit;
  }

private:
  struct Found
  {
    double multiplier = 0;
    /// The design holds the volume; else it is out of reach of this step.
    bool holds = false;
  };
  Found find(const DesignPoint &point, double multiplier, Array<double> &next);

  /// Material of the trial design for a multiplier; leaves that design in `next`.
  double trial(const DesignPoint &point, double multiplier, Array<double> &next);

  Backend &backend_;
  Communicator communicator_;
  DesignChain &map_;
  OptimalityCriteria criteria_;
  const VolumeConstraint &volume_;
  const Array<DesignFlag> &flags_;
  const DesignVolumes &volumes_;

  double offset_ = 0.;            ///< V(x_0) - sum_e dV/dx_e x_0e, for affine maps
  Array<double> trial_densities_; ///< used only if the maps are not affine
};

OptimalityUpdate::OptimalityUpdate(const UpdateContext &context)
  : backend_(context.backend)
  , communicator_(context.communicator)
  , map_(context.map)
  , criteria_(context.criteria)
  , volume_(context.volume)
  , flags_(context.flags)
  , volumes_(context.volumes)
  , trial_densities_(backend_.memory(), map_.is_affine() ? 0 : flags_.size())
{}

double
OptimalityUpdate::trial(const DesignPoint &point, const double multiplier, Array<double> &next)
{
  const double sum =
    backend_.design_operations().optimality_update(criteria_,
                                                   multiplier,
                                                   point.x,
                                                   *point.objective.derivative,
                                                   map_.empty()
                                                     ? volumes_.numbers()
                                                     : *point.constraints.front().derivative,
                                                   flags_,
                                                   next);
  if (map_.empty()) // The sum includes non-design elements, which never change.
    return communicator_.sum(sum) - volume_.fixed;
  if (map_.is_affine())
    return communicator_.sum(sum) + offset_;
  map_.forward(next, trial_densities_, point.maps_of_next);
  return volume_.material(backend_, communicator_, volumes_, trial_densities_);
}

OptimalityUpdate::Found
OptimalityUpdate::find(const DesignPoint &point, const double multiplier, Array<double> &next)
{
  // The volume falls monotonically with lambda. The root is bracketed from the last multiplier,
  // then the logarithm is bisected. Where every density is at its move limit the target may be out
  // of reach for this step; then the bracket ends at the limit.
  const double tolerance    = map_.empty() ? criteria_.volume_tolerance : 1e-9;
  constexpr int max_factors = 200;
  const auto holds          = [&](const double volume) {
    return std::abs(volume - volume_.target) <= tolerance * volume_.target;
  };
  if (map_.is_affine() && !map_.empty())
    offset_ = volume_.material(backend_, communicator_, volumes_, point.densities) -
              communicator_.sum(backend_.vector_operations<double>().dot(
                flags_.size(), *point.constraints.front().derivative, point.x));

  double lambda = multiplier;
  double volume = trial(point, lambda, next);
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
      // The root is far away, since the first iteration does not know the scale.
      if (i % 4 == 3)
        factor *= factor;
      if (!(lambda > 1e-200 && lambda < 1e200))
        return {other, false};
      volume = trial(point, lambda, next);
      if (holds(volume))
        return {lambda, true};
    }

  if (!map_.is_affine()) // A trial costs as much as the maps, so few are made.
    {
      lambda = std::exp(bracketed_root(std::log(other),
                                       other_volume - volume_.target,
                                       std::log(lambda),
                                       volume - volume_.target,
                                       tolerance * volume_.target,
                                       [&](const double log_lambda) {
                                         volume = trial(point, std::exp(log_lambda), next);
                                         return volume - volume_.target;
                                       }));
      return {lambda, holds(volume)};
    }

  double lower = std::min(lambda, other); // The volume is above the target here,
  double upper = std::max(lambda, other); // and below it here.
  while (upper > lower * (1. + 1e-14))
    {
      lambda = std::sqrt(lower * upper);
      volume = trial(point, lambda, next);
      if (holds(volume))
        break;
      (volume > volume_.target ? lower : upper) = lambda;
    }
  return {lambda, holds(volume)};
}

DesignUpdate::Step OptimalityUpdate::step(const DesignPoint &point, Array<double> &next)
{
  const double last = point.last.empty() ? 0. : point.last.front();
  const Found found = find(point, last > 0. ? last : 1., next);
  return {{found.multiplier}, found.holds};
}

const std::vector<HistoryColumn> &OptimalityUpdate::columns() const
{
  static const std::vector<HistoryColumn> columns = {{"multiplier", ""}};
  return columns;
}
} // namespace

DesignUpdateEntry optimality_criteria()
{
  DesignUpdateEntry entry;
  entry.name = "optimality criteria";
  entry.summary =
    "a fixed point of the criteria, with the multiplier that fills the volume; for one objective and the "
    "volume as its only constraint";
  entry.make = [](const UpdateContext &context) -> std::unique_ptr<DesignUpdate> {
    return std::make_unique<OptimalityUpdate>(context);
  };
  entry.obstacle = [](const OptimizationProblem &problem, std::size_t) -> std::string {
    if (problem.fields.analysed().size() > 1)
      return "it minimises one function, and a robust design has one for each of its fields";
    if (problem.objective.over == DesignFunction::Over::worst)
      return "it minimises sums over load cases, and no worst case";
    if (problem.maximises)
      return "it minimises";
    if (!problem.constraints.empty())
      return "it holds the volume alone, and '" + problem.constraints.front().function.name +
             "' is another constraint";
    return problem.limits_volume ? "" : "it holds the volume, and here that is no constraint";
  };
  entry.needs_gradients     = false;
  entry.takes_common_volume = true;
  return entry;
}
} // namespace strut
