// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/optimization/simp.h>

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
void count(const SolverReport &report, IterationRecord &record)
{
  record.solver_iterations += report.iterations;
  record.residual = std::max(record.residual, report.residual);
}
} // namespace

Simp::Simp(Backend &backend,
           const Communicator &communicator,
           const ElementMesh &mesh,
           StateSolver &state,
           Objective &objective,
           Filter &filter,
           const SimpSettings &settings,
           TimingTable &timing)
  : backend_(backend)
  , communicator_(communicator)
  , state_(state)
  , objective_(objective)
  , filter_(filter)
  , settings_(settings)
  , timing_(timing)
  , n_elements_(mesh.n_elements)
  , volume_(VolumeConstraint::build(communicator,
                                    mesh,
                                    settings.volume_fraction,
                                    settings.criteria.minimum_density,
                                    settings.count_non_design))
  , flags_(backend.memory(), mesh.flags)
  , volumes_(backend.memory(), mesh.volumes)
  , design_(backend.memory(), n_elements_)
  , next_design_(backend.memory(), n_elements_)
  , filtered_(backend.memory(), filter.keeps_densities() ? 0 : n_elements_)
  , stiffness_(backend.memory(), n_elements_)
  , sensitivities_(backend.memory(), n_elements_)
  , volume_sensitivities_(backend.memory(), filter.keeps_densities() ? 0 : n_elements_)
{
  next_design_.copy_from_host(volume_.uniform_design(mesh, settings_.criteria.minimum_density));
}

IterationRecord Simp::iterate()
{
  const auto start    = TimingTable::Clock::now();
  const auto &vectors = backend_.vector_operations<double>();
  const auto &fields  = backend_.design_operations();
  IterationRecord record;
  record.iteration = history_.empty() ? 1 : history_.back().iteration + 1;

  // (1) The densities of this design and their stiffness.
  design_.swap(next_design_);
  const bool keeps = filter_.keeps_densities();
  if (!keeps)
    {
      TimingTable::Scope scope(timing_, "filter", &backend_);
      filter_.densities(design_, filtered_);
    }
  const Array<double> &densities = keeps ? design_ : filtered_;
  {
    TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    fields.interpolate(settings_.interpolation, densities, stiffness_);
  }
  state_.set_stiffness(stiffness_);

  // (2) Displacements, objective and its sensitivities, load case by load case. The next design is
  // not there yet: its place holds -dJ_l/dE_e.
  Array<double> &decrease = next_design_;
  sensitivities_.set_zero();
  for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
    {
      const double weight = state_.load_case(l).weight;
      Objective::Value objective;
      try
        {
          count(state_.solve(l), record);
          objective = objective_.evaluate(state_, l, stiffness_, decrease);
        }
      catch (const SolverFailure &)
        {
          design_.swap(next_design_); // as before this call, for a checkpoint
          throw;
        }
      count(objective.adjoint, record);
      record.objective += weight * objective.value;
      TimingTable::Scope scope(timing_, "sensitivity", &backend_);
      fields.add_sensitivities(
        settings_.interpolation, weight, densities, decrease, sensitivities_);
    }

  // (3) Filter.
  {
    TimingTable::Scope scope(timing_, "filter", &backend_);
    filter_.objective_sensitivities(design_, sensitivities_);
    if (!keeps)
      {
        volume_sensitivities_.copy_from(volumes_);
        filter_.volume_sensitivities(volume_sensitivities_);
      }
  }

  // (4) The next design.
  {
    TimingTable::Scope scope(timing_, "update", &backend_);
    record.multiplier = update_design();
    record.density_change =
      communicator_.max(vectors.max_difference(n_elements_, design_, next_design_));
    const double volume    = communicator_.sum(vectors.dot(n_elements_, volumes_, densities));
    record.volume_fraction = volume_.fraction(volume - volume_.fixed);
  }

  record.seconds = std::chrono::duration<double>(TimingTable::Clock::now() - start).count();
  history_.push_back(record);
  return record;
}

double Simp::trial_volume(const double lambda)
{
  // The sum runs over non-design elements too, which never change.
  return communicator_.sum(backend_.design_operations().optimality_update(
           settings_.criteria,
           lambda,
           design_,
           sensitivities_,
           volume_sensitivities_.empty() ? volumes_ : volume_sensitivities_,
           flags_,
           next_design_)) -
         volume_.fixed;
}

double Simp::update_design()
{
  // The volume falls monotonically with lambda. Bracket, starting from the last multiplier, then
  // bisect the logarithm. Where every density sits at its move limit the target may be out of reach
  // for this step; the bracket then ends at the limit.
  constexpr double tolerance = 1e-6;
  constexpr int max_factors  = 200;
  const auto holds           = [&](const double volume) {
    return std::abs(volume - volume_.target) <= tolerance * volume_.target;
  };

  double lambda = 1.;
  if (!history_.empty() && history_.back().multiplier > 0.)
    lambda = history_.back().multiplier;
  double volume = trial_volume(lambda);
  if (holds(volume))
    return lambda;

  const bool grow = volume > volume_.target;
  double factor   = grow ? 2. : 0.5;
  double other    = lambda;
  for (int i = 0; i < max_factors && (volume > volume_.target) == grow; ++i)
    {
      other = lambda;
      lambda *= factor;
      if (i % 4 == 3)
        factor *= factor; // far away: the first iteration has no idea of the scale
      if (!(lambda > 1e-200 && lambda < 1e200))
        return other;
      volume = trial_volume(lambda);
      if (holds(volume))
        return lambda;
    }

  double lower = std::min(lambda, other); // volume above the target
  double upper = std::max(lambda, other); // below
  while (upper > lower * (1. + 1e-14))
    {
      lambda = std::sqrt(lower * upper);
      volume = trial_volume(lambda);
      if (holds(volume))
        break;
      (volume > volume_.target ? lower : upper) = lambda;
    }
  return lambda;
}

bool Simp::converged() const
{
  if (history_.empty())
    return false;
  const IterationRecord &last = history_.back();
  const double dJ =
    history_.size() < 2 ? -1. : std::abs(last.objective - history_[history_.size() - 2].objective);
  const double limit = settings_.stopping.tolerance;
  switch (settings_.stopping.criterion)
    {
      case StoppingRule::Criterion::compliance_change:
        return dJ >= 0. && dJ < limit;
      case StoppingRule::Criterion::relative_compliance_change:
        return dJ >= 0. && dJ < limit * std::abs(last.objective);
      case StoppingRule::Criterion::density_change:
        return last.density_change < limit;
      case StoppingRule::Criterion::none:
        break;
    }
  return false;
}

bool Simp::finished() const
{
  return converged() ||
         (!history_.empty() && history_.back().iteration >= settings_.stopping.max_iterations);
}

std::vector<double> Simp::analysed_densities() const
{
  return (filtered_.empty() ? design_ : filtered_).to_host();
}

std::vector<double> Simp::next_design() const
{
  return next_design_.to_host();
}

void Simp::restore(const std::vector<double> &next_design, std::vector<IterationRecord> history)
{
  next_design_.copy_from_host(next_design);
  history_ = std::move(history);
}
} // namespace strut
