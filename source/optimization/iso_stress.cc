// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/iso_stress.h"
#include "source/optimization/two_cycle.h"
#include "source/optimization/updates/bracketed_root.h"

#include <cmath>
#include <iterator>

namespace strut
{
namespace
{
/// Relative tolerance of the volume in the search for the level. It is so small that the end of the
/// search does not amplify the rounding that differs with the number of ranks.
constexpr double volume_tolerance = 1e-11;
/// A volume up to this factor above the target counts as reached.
constexpr double volume_reached = 1. + 1e-5;
/// Largest number of times that a run holds the level.
constexpr unsigned int most_holds = 20;
/// The rule of the factor may end below the target volume, but not below this share of it.
constexpr double least_share = 0.995;
} // namespace

IsoStress::IsoStress(const DesignContext &context, const IsoStressSettings &settings)
  : Evolution(context,
              {1., settings.weak_stiffness, !settings.includes_outside},
              0.,
              // The factor alone decides until one of its cuts was refused.
              settings.rule == IsoStressSettings::LevelRule::volume ? settings.evolution_rate : 1.,
              settings.evolution_rate / 64.,
              settings.keep)
  , settings_(settings)
  , n_owned_nodes_(context.mesh.n_owned_nodes)
  , sums_halo_(backend_, communicator_, context.mesh.node_halo, NodalFields::n_sums)
  , node_halo_(backend_, communicator_, context.mesh.node_halo, 1)
  , mirrors_(backend_.memory(),
             context.mirrors.empty() ? std::vector<std::uint8_t>(context.mesh.n_nodes, 0)
                                     : context.mirrors)
  , sums_(backend_.memory(), NodalFields::n_sums * context.mesh.n_nodes)
  , stress_(backend_.memory(), context.mesh.n_nodes)
  , to_cut_(backend_.memory(), context.mesh.n_nodes)
{
  fields_    = backend_.make_nodal_fields(context.mesh);
  load_path_ = std::make_unique<LoadPath>(
    backend_, communicator_, context.mesh, context.state, context.mirrors);
}

double IsoStress::memory_estimate(const MeshSize &size)
{
  // Next and analysed design, stiffness, energies, flags; and the volumes, affine flags and twice
  // the connectivity of NodalFields.
  const double per_element = 5. * sizeof(double) + 2. + 16. * sizeof(LocalIndex);
  // Sums, stress, coordinates; mirrors; labels and where lists begin.
  const double per_node =
    (NodalFields::n_sums + 5.) * sizeof(double) + 1. + 2. * sizeof(LocalIndex);
  return per_element * static_cast<double>(size.n_elements) +
         per_node * static_cast<double>(size.n_nodes);
}

double IsoStress::weight_of_last() const
{
  // Before the volume is reached, the objective changes with it.
  const auto has_volume = [this](const IterationRecord &record) {
    return std::abs(record.volume_fraction - history_.back().volume_fraction) <=
           1e-2 * record.volume_fraction;
  };
  auto first = history_.end();
  while (first != history_.begin() && has_volume(*std::prev(first)))
    --first;
  return std::ldexp(settings_.averages ? 0.5 : 1.,
                    -static_cast<int>(halvings_against_two_cycles({first, history_.end()})));
}

std::vector<double> IsoStress::measure()
{
  TimingTable::Scope scope(timing_, "stress", &backend_);
  stress_.set_zero();
  for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
    {
      state_.sum_stresses(l, *fields_, stiffness_, sums_);
      sums_halo_.add_to_owners(sums_);
      sums_halo_.update_ghosts(sums_);
      fields_->raise_to_von_mises(sums_, mirrors_, std::sqrt(state_.load_case(l).weight), stress_);
    }
  if (const double weight = history_.empty() ? 1. : weight_of_last(); weight < 1.)
    {
      const auto &vectors = backend_.vector_operations<double>();
      vectors.axpy(to_cut_.size(), -weight, to_cut_, to_cut_);
      vectors.axpy(to_cut_.size(), weight, stress_, to_cut_);
    }
  else
    to_cut_.copy_from(stress_);
  return {level_, factor_, communicator_.max(fields_->largest(n_owned_nodes_, stress_))};
}

double IsoStress::volume_above(const double level) const
{
  return communicator_.sum(fields_->volume_above(to_cut_, level, flags_)) + kept_.volume;
}

double IsoStress::level_for(const double volume, const double largest) const
{
  const double tolerance = volume_tolerance * volume;
  const double most      = volume_above(0.) - volume;
  if (!(most > tolerance))
    return 0.;
  // The unknown is in units of the largest stress, so units of the deck do not matter.
  double excess = most; // Excess of volume at the level that was tried last.
  const double found =
    bracketed_root(0., most, 1., kept_.volume - volume, tolerance, [&](const double x) {
      return excess = volume_above(x * largest) - volume;
    });
  // The volume jumps where the cut of a face between two pairs of corners changes sides. The level
  // then goes beyond the jump, together with all elements whose stress differs by the solver's
  // tolerance alone, such as mirror images.
  constexpr double beyond = 1e-7;
  return largest * (std::abs(excess) > tolerance ? found + beyond : found);
}

void IsoStress::look_for_broken_members()
{
  const std::size_t n         = history_.size();
  const IterationRecord &last = history_[n - 1];
  const double of_last        = index(last);
  if (holds_level_)
    {
      const IterationRecord &before = history_[n - 2];
      const auto is_steady          = [&](const double now, const double then) {
        return std::abs(now - then) <= settings_.steady_volume * std::abs(then);
      };
      holds_level_ = of_last > most_growth_of_index * least_index_ &&
                     !(is_steady(last.volume_fraction, before.volume_fraction) &&
                       is_steady(of_last, index(before)));
      if (!holds_level_)
        least_index_ = of_last;
    }
  else
    {
      holds_level_ = least_index_ > 0. && of_last > most_growth_of_index * least_index_ &&
                     n_holds_ < most_holds && !has_reached_volume();
      n_holds_ += holds_level_ ? 1 : 0;
      if (least_index_ == 0. || of_last < least_index_)
        least_index_ = of_last;
    }
}

void IsoStress::change()
{
  TimingTable::Scope scope(timing_, "volume fractions", &backend_);
  const double largest = communicator_.max(fields_->largest(n_owned_nodes_, to_cut_));
  const std::size_t n  = history_.size();
  if (by_factor())
    {
      const double before = n < 2 ? 0. : history_[n - 2].volume_fraction;
      const double now    = history_[n - 1].volume_fraction;
      factor_             = history_[n - 1].values[factor];
      if (n == 1)
        factor_ = settings_.first_factor;
      else if (std::abs(now - before) <= settings_.steady_volume * before &&
               material_ > volume_.target * volume_reached)
        factor_ += settings_.factor_step;
      level_ = factor_ * largest;
    }
  else
    {
      if (judged_ != n) // After a refused cut the history has nothing new.
        look_for_broken_members();
      judged_ = n;
      if (holds_level_)
        level_ = history_[n - 1].values[level];
    }
  // Least volume of the next design.
  const double least =
    std::max((by_factor() ? least_share : 1.) * volume_.target, (1. - largest_change_) * material_);
  const bool is_set = by_factor() || holds_level_;
  if (!is_set || volume_above(level_) < least)
    level_ = level_for(least, largest);
  next_material_ =
    communicator_.sum(fields_->fractions_above(to_cut_, level_, flags_, next_)) + kept_.volume;
  if (!by_factor())
    factor_ = largest > 0. ? level_ / largest : 0.;
}

bool IsoStress::converged() const
{
  const std::size_t n = history_.size();
  if (ended_ || n < 2)
    return false;
  const IterationRecord &last = history_[n - 1], &before = history_[n - 2];
  // PI = 1 / (C V), so that |PI - PI'| / PI = |1 - C V / (C' V')|
  const double ratio = index(last) / index(before);
  return has_reached_volume() && std::abs(1. - ratio) <= settings_.tolerance;
}

bool IsoStress::has_reached_volume() const
{
  return history_.back().volume_fraction <= volume_.fraction(volume_.target) * volume_reached;
}

const std::vector<HistoryColumn> &IsoStress::columns() const
{
  static const std::vector<HistoryColumn> columns = {{"level", ""},
                                                     {"redistribution_factor", "RF"},
                                                     {"largest_stress", "max stress"},
                                                     {"refused_cuts", ""}};
  return columns;
}

DesignState IsoStress::own_state() const
{
  return {{},
          {level_, factor_, least_index_, holds_level_ ? 1. : 0., static_cast<double>(n_holds_)},
          {to_cut_.to_host()}};
}

void IsoStress::restore_own(const DesignState &state)
{
  level_       = state.numbers.at(0);
  factor_      = state.numbers.at(1);
  least_index_ = state.numbers.at(2);
  holds_level_ = state.numbers.at(3) != 0.;
  judged_      = history_.size();
  n_holds_     = static_cast<unsigned int>(state.numbers.at(4));
  to_cut_.copy_from_host(state.node_fields.at(0));
  node_halo_.update_ghosts(to_cut_);
}

void IsoStressSettings::declare(ParameterList &list)
{
  list.add<LevelRule>(
    "Level",
    rule,
    {{"volume", LevelRule::volume}, {"redistribution factor", LevelRule::redistribution_factor}},
    "volume: of the stress, such that the next volume is that of a schedule; redistribution factor: a factor "
    "times the largest stress (Martinez-Frutos and Herrero-Perez 2017).");
  list.add("Evolution rate",
           evolution_rate,
           {1e-4, 0.5},
           "With Level = volume: largest share of the volume that a cut takes.");
  list.add("First redistribution factor",
           first_factor,
           {1e-6, 1.},
           "With Level = redistribution factor.");
  list.add("Step of the redistribution factor",
           factor_step,
           {1e-6, 1.},
           "By which the factor grows when the volume is steady.");
  list.add("Steady volume",
           steady_volume,
           {0., 1.},
           "Relative change of the volume below which the factor grows.");
  list.add(
    "Tolerance",
    tolerance,
    {0., 1.},
    "Of the end: the volume is reached, and 1 / (compliance times volume) changes by no more, relative.");
  list.add<bool>(
    "Stress to cut",
    averages,
    {{"average", true}, {"last", false}},
    "average: the mean of the stress of this design and the average before it, with less weight of the new one where designs alternate between two; "
    "last: that of this design, and likewise a mean where designs alternate.");
  declare_solid_elements(list, keep);
  list.add<bool>(
    "Outside elements",
    includes_outside,
    {{"exclude", false}, {"include", true}},
    "exclude: elements without material have no stiffness and are not part of the system; include: they have the "
    "weak stiffness.");
  list.add("Weak stiffness",
           weak_stiffness,
           {1e-9, 1e-2},
           "Of the empty part of an element, relative to the material.");
}

DesignMethodEntry iso_stress()
{
  DesignMethodEntry entry = {
    "iso stress",
    "material where the von Mises stress is at least a level that rises step by step",
    [](const DesignContext &context,
       const ParameterValues &values) -> std::unique_ptr<DesignMethod> {
      return std::make_unique<IsoStress>(context, settings_from<IsoStressSettings>(values));
    },
    [](const MeshSize &size, double) { return IsoStress::memory_estimate(size); },
    parameters_of<IsoStressSettings>()};
  entry.excludes_void = [](const ParameterValues &values) {
    return !settings_from<IsoStressSettings>(values).includes_outside;
  };
  entry.steadied_by         = {"Stress to cut", "average"};
  entry.uses_nodal_stresses = true;
  entry.check               = [](const DesignCheck &design, const ParameterValues &values) {
    keep_elements(design, settings_from<IsoStressSettings>(values).keep);
  };
  return entry;
}
} // namespace strut
