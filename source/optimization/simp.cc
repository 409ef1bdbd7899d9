// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/simp.h"
#include "source/optimization/bracketed_root.h"
#include "source/optimization/design_methods.h"
#include "source/optimization/solve_load_cases.h"
#include "source/optimization/two_cycle.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace strut
{
namespace
{
/// A number for a message.
std::string short_text(const double value)
{
  std::ostringstream text;
  text << value;
  return text.str();
}

std::unique_ptr<SensitivityFilter> make_sensitivity_filter(const Execution &execution,
                                                           const ElementMesh &mesh,
                                                           const DesignChain &map,
                                                           const double radius)
{
  if (!(radius > 0.))
    return nullptr;
  if (!map.empty())
    throw Error(
      "The sensitivity filter takes densities that are the design variables, and there are maps "
      "between them. Leave one of them out.");
  return std::make_unique<SensitivityFilter>(execution.backend,
                                             execution.communicator,
                                             mesh,
                                             radius);
}
} // namespace

Simp::Simp(const Execution &execution,
           const ElementMesh &mesh,
           StateSolver &state,
           Objective &objective,
           DesignChain &map,
           const OptimizationSettings &settings)
  : backend_(execution.backend)
  , communicator_(execution.communicator)
  , state_(state)
  , objective_(objective)
  , map_(map)
  , sensitivity_filter_(make_sensitivity_filter(execution, mesh, map, settings.sensitivity_radius))
  , settings_(settings)
  , timing_(execution.timing)
  , n_elements_(mesh.n_elements)
  , volume_(VolumeConstraint::build(communicator_,
                                    mesh,
                                    settings.volume_fraction,
                                    settings.criteria.minimum_density,
                                    settings.count_non_design))
  , flags_(backend_.memory(), mesh.flags)
  , volumes_(backend_.memory(), mesh.volumes)
  , design_(backend_.memory(), n_elements_)
  , next_design_(backend_.memory(), n_elements_)
  , filtered_(backend_.memory(), map.empty() ? 0 : n_elements_)
  , stiffness_(backend_.memory(), n_elements_)
  , sensitivities_(backend_.memory(), n_elements_)
  , volume_sensitivities_(backend_.memory(), map.empty() ? 0 : n_elements_)
  , update_(backend_, communicator_, map, settings.criteria, volume_, flags_, volumes_)
  , volume_check_(volume_.fraction(volume_.target))
{
  next_design_.copy_from_host(first_design(mesh));
}

double Simp::memory_estimate(const std::size_t n_elements)
{
  // volumes, design, next design, stiffness, sensitivities; flags
  return (5. * sizeof(double) + 1.) * static_cast<double>(n_elements);
}

std::vector<double> Simp::first_design(const ElementMesh &mesh)
{
  const double least = settings_.criteria.minimum_density;
  double value       = volume_.target / volume_.design;
  if (!map_.empty())
    {
      // Solid neighbours, a projection: another volume than that of the design variables.
      map_.begin_iteration(1);
      const double tolerance = 1e-9 * volume_.target;
      const auto excess      = [&](const double x) {
        design_.copy_from_host(VolumeConstraint::uniform_design(mesh, least, x));
        map_.forward(design_, filtered_);
        return update_.material(filtered_) - volume_.target;
      };
      const double here = excess(value);
      const double end  = here > 0. ? least : 1.;
      if (std::abs(here) > tolerance)
        {
          const double there = excess(end);
          const double got   = volume_.fraction(volume_.target + there);
          if ((here > 0.) == (there > 0.) &&
              strut::misses_volume(volume_.fraction(volume_.target), got))
            throw Error("With these maps the densities fill at " +
                          std::string(here > 0. ? "least" : "most") + " a volume fraction of " +
                          short_text(got) + ", where " +
                          short_text(volume_.fraction(volume_.target)) +
                          " was asked: they follow the solid and void regions around them.",
                        here > 0. ? Remedy::raise_volume_fraction
                                  : Remedy::shrink_non_design_regions);
          value = (here > 0.) == (there > 0.) ? end
                                              : // as near as it gets; the volume check will say so
                    bracketed_root(value, here, end, there, tolerance, excess);
        }
    }
  return VolumeConstraint::uniform_design(mesh, least, value);
}

IterationRecord Simp::iterate()
{
  const auto start    = TimingTable::Clock::now();
  const auto &vectors = backend_.vector_operations<double>();
  const auto &fields  = backend_.design_operations();
  IterationRecord record;
  record.iteration = history_.empty() ? 1 : history_.back().iteration + 1;
  map_.begin_iteration(record.iteration);
  settled_ = map_.is_settled();

  // (1) The densities of this design and their stiffness.
  design_.swap(next_design_);
  const bool keeps = map_.empty();
  if (!keeps)
    {
      TimingTable::Scope scope(timing_, "filter", &backend_);
      map_.forward(design_, filtered_);
    }
  const Array<double> &densities = keeps ? design_ : filtered_;
  {
    TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    fields.interpolate(settings_.interpolation, densities, stiffness_);
  }
  state_.set_stiffness(stiffness_);
  state_.set_densities(densities);

  // (2) Displacements, objective and its sensitivities, load case by load case. The next design is
  // not there yet: its place holds -dJ_l/dE_e.
  Array<double> &decrease = next_design_;
  sensitivities_.set_zero();
  try
    {
      const auto add = [&](const std::size_t l) {
        const double weight = state_.load_case(l).weight;
        TimingTable::Scope scope(timing_, "sensitivity", &backend_);
        fields.add_sensitivities(
          settings_.interpolation, weight, densities, decrease, sensitivities_);
        if (state_.load_case(l).has_weight)
          {
            objective_.weight_derivative(state_, l, decrease);
            vectors.axpy(n_elements_, weight, decrease, sensitivities_);
          }
      };
      solve_load_cases(state_, objective_, stiffness_, decrease, &StateSolver::solve, record, add);
    }
  catch (const SolverFailure &)
    {
      design_.swap(next_design_); // as before this call, for a checkpoint
      throw;
    }

  // (3) Back through the maps.
  {
    TimingTable::Scope scope(timing_, "filter", &backend_);
    map_.backward(design_, sensitivities_);
    if (!keeps)
      {
        volume_sensitivities_.copy_from(volumes_);
        map_.backward(design_, volume_sensitivities_);
      }
    if (sensitivity_filter_ != nullptr)
      sensitivity_filter_->apply(design_, sensitivities_);
  }

  // (4) The next design, and whether this one is what the last update promised.
  {
    TimingTable::Scope scope(timing_, "update", &backend_);
    const double material  = update_.material(densities);
    record.volume_fraction = volume_.fraction(material);
    if (const std::string said = volume_check_.check(record.volume_fraction, promised_);
        !said.empty())
      warnings_ = said;

    map_.begin_iteration(record.iteration + 1); // the volume of the next design is that by its maps
    answer_two_cycles();
    const double last  = history_.empty() ? 0. : history_.back().values[multiplier];
    const double first = last > 0. ? last : 1.;
    // A projection that gets sharper changes the volume of the same design: halved moves may be too small to hold it.
    const bool maps_change = map_.unchanged_since() == record.iteration + 1;
    OptimalityUpdate::Step step;
    for (double move = move_factor_ * settings_.criteria.move_limit;; move *= 2.)
      {
        update_.set_move_limit(move);
        step = update_.step(
          {design_, densities, sensitivities_, keeps ? volumes_ : volume_sensitivities_},
          first,
          next_design_);
        if (!maps_change || step.holds || move >= settings_.criteria.move_limit)
          break;
      }
    promised_     = step.holds;
    record.values = {communicator_.max(vectors.max_difference(n_elements_, design_, next_design_)),
                     step.multiplier};
  }

  record.seconds = std::chrono::duration<double>(TimingTable::Clock::now() - start).count();
  history_.push_back(record);
  return record;
}

void Simp::answer_two_cycles()
{
  const unsigned int n_halvings = halvings_against_two_cycles(history_, true);
  move_factor_                  = std::ldexp(1., -static_cast<int>(n_halvings));
  stopping_factor_ = std::ldexp(1., -static_cast<int>(halvings_against_two_cycles(history_)));
  const double move_limit = move_factor_ * settings_.criteria.move_limit;
  if (n_halvings == 0)
    return;
  std::vector<IterationRecord> before(history_.begin(), history_.end() - 1);
  if (halvings_against_two_cycles(before, true) < n_halvings)
    warnings_ +=
      (warnings_.empty() ? "" : "\n  NOTE: ") +
      ("designs alternate between two, with objectives " + short_text(before.back().objective) +
       " and " + short_text(history_.back().objective) +
       ": from now on densities move by at most " + short_text(move_limit));
}

void Simp::complete_last()
{
  solve_load_cases(state_,
                   objective_,
                   stiffness_,
                   sensitivities_,
                   &StateSolver::solve_to_tolerance,
                   history_.back());
}

bool Simp::converged() const
{
  if (history_.empty() || !settled_)
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
        return last.values[density_change] < limit * stopping_factor_;
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

std::vector<double> Simp::analysed_stiffness() const
{
  return stiffness_.to_host();
}

const std::vector<HistoryColumn> &Simp::columns() const
{
  static const std::vector<HistoryColumn> columns = {{"density_change", "change"},
                                                     {"multiplier", ""}};
  return columns;
}

std::string Simp::note() const
{
  return settled_
           ? ""
           : "the filter was still changing; allow more iterations for the design that it ends with";
}

DesignState Simp::state() const
{
  return {{next_design_.to_host()}, {}};
}

void Simp::restore(const DesignState &state, std::vector<IterationRecord> history)
{
  next_design_.copy_from_host(state.element_fields.at(0));
  history_  = std::move(history);
  promised_ = false; // by whom?
  if (!history_.empty())
    {
      map_.begin_iteration(history_.back().iteration);
      settled_ = map_.is_settled();
      const std::vector<IterationRecord> before(history_.begin(), history_.end() - 1);
      move_factor_ = std::ldexp(1., -static_cast<int>(halvings_against_two_cycles(before, true)));
      stopping_factor_ = std::ldexp(1., -static_cast<int>(halvings_against_two_cycles(before)));
      volume_check_.check(history_.back().volume_fraction, promised_);
    }
}

DesignMethodEntry simp()
{
  DesignMethodEntry entry = {
    "simp",
    "densities between void and solid, penalised, by optimality criteria",
    [](const DesignContext &context, const ParameterValues &) -> std::unique_ptr<DesignMethod> {
      return std::make_unique<Simp>(context.execution,
                                    context.mesh,
                                    context.state,
                                    context.objective,
                                    context.map,
                                    context.settings);
    },
    [](const MeshSize &size, double) { return Simp::memory_estimate(size.n_elements); }};
  entry.takes_objective = true;
  entry.takes_filter    = true;
  entry.makes_grey      = true;
  entry.counts_void     = true;
  return entry;
}
} // namespace strut
