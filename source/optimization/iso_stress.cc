// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/iso_stress.h"
#include "source/optimization/bracketed_root.h"
#include "source/optimization/complete_record.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace strut
{
namespace
{
/// A design may be this many times as compliant as the one before it.
constexpr double most_growth = 10.;
/// The run ends when cuts may take no more than this share of what the deck allows.
constexpr double least_cut = 1. / 64.;
/// How far a volume may be from the wanted one, relative: so close that rounding, which differs with the number of
/// ranks, is not made larger by where the search for the level ends.
constexpr double volume_tolerance = 1e-11;
/// Until when the volume counts as reached.
constexpr double volume_reached = 1. + 1e-5;

/// A number for a message: a few digits.
std::string text_of(const double value)
{
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}
} // namespace

IsoStress::IsoStress(const DesignContext &context, const IsoStressSettings &settings)
  : backend_(context.execution.backend)
  , communicator_(context.execution.communicator)
  , timing_(context.execution.timing)
  , state_(context.state)
  , objective_(context.objective)
  , settings_(settings)
  , max_iterations_(context.settings.stopping.max_iterations)
  , n_owned_nodes_(context.mesh.n_owned_nodes)
  , volume_(VolumeConstraint::build(communicator_,
                                    context.mesh,
                                    context.settings.volume_fraction,
                                    0.,
                                    context.settings.count_non_design))
  , fields_(backend_.make_nodal_fields(context.mesh))
  , sums_halo_(backend_, communicator_, context.mesh.node_halo, NodalFields::n_sums)
  , node_halo_(backend_, communicator_, context.mesh.node_halo, 1)
  , load_path_(backend_, communicator_, context.mesh, context.state, context.mirrors)
  , mirrors_(backend_.memory(),
             context.mirrors.empty() ? std::vector<std::uint8_t>(context.mesh.n_nodes, 0)
                                     : context.mirrors)
  , next_(backend_.memory(), VolumeConstraint::uniform_design(context.mesh, 0., 1.))
  , analysed_(backend_.memory(), context.mesh.n_elements)
  , stiffness_(backend_.memory(), context.mesh.n_elements)
  , energies_(backend_.memory(), context.mesh.n_elements)
  , sums_(backend_.memory(), NodalFields::n_sums * context.mesh.n_nodes)
  , stress_(backend_.memory(), context.mesh.n_nodes)
  , to_cut_(backend_.memory(), context.mesh.n_nodes)
  , next_material_(volume_.design)
  , largest_cut_(settings.rule == IsoStressSettings::LevelRule::volume ? settings.evolution_rate
                                                                       : 1.)
{
  const ElementMesh &mesh = context.mesh;
  flags_                  = Array<DesignFlag>(backend_.memory(), mesh.flags);
  if (settings.keep != IsoStressSettings::Keep::nothing)
    {
      const std::vector<std::uint8_t> at_loads = load_path_.elements_at_loads(
        settings.keep == IsoStressSettings::Keep::at_loads_and_supports);
      std::vector<DesignFlag> flags = mesh.flags;
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        if (at_loads[e] != 0 && flags[e] == DesignFlag::design)
          {
            flags[e] = DesignFlag::solid;
            kept_ += mesh.volumes[e];
          }
      flags_.copy_from_host(flags);
      kept_ = communicator_.sum(kept_);
    }
  if (kept_ > volume_.target)
    throw Error("The elements at loads" +
                  std::string(
                    settings.keep == IsoStressSettings::Keep::at_loads ? "" : " and supports") +
                  " stay solid, and they alone are " + text_of(100. * kept_ / volume_.design) +
                  " % of the volume to design, where " +
                  text_of(100. * volume_.target / volume_.design) + " % shall be left.",
                Remedy::raise_volume_fraction);
}

double IsoStress::memory_estimate(const MeshSize &size)
{
  // next and analysed design, stiffness, energies, flags; those of NodalFields: volumes, affine, connectivity twice
  const double per_element = 5. * sizeof(double) + 2. + 16. * sizeof(LocalIndex);
  // sums, stress, coordinates; mirrors; labels, begin
  const double per_node =
    (NodalFields::n_sums + 5.) * sizeof(double) + 1. + 2. * sizeof(LocalIndex);
  return per_element * static_cast<double>(size.n_elements) +
         per_node * static_cast<double>(size.n_nodes);
}

void IsoStress::warn(const std::string &text)
{
  warnings_ += (warnings_.empty() ? "" : "; ") + text;
}

IsoStress::Analysis IsoStress::analyse(Array<double> &design)
{
  Analysis analysis;
  {
    TimingTable::Scope scope(timing_, "load path", &backend_);
    const LoadPath::Report report = load_path_.look_at(*fields_, flags_, design);
    analysis.obstacle             = report.obstacle;
    if (report.n_islands > 0)
      warn("material that no load acts on was taken away, " +
           text_of(100. * report.volume / volume_.design) + " % of the volume to design");
    next_material_ -= report.volume;
  }
  if (!analysis.obstacle.empty())
    return analysis;
  try
    {
      backend_.design_operations().interpolate(
        {1., settings_.weak_stiffness, !settings_.includes_outside}, design, stiffness_);
      state_.set_stiffness(stiffness_);
      state_.set_densities(design);
      for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
        {
          const SolverReport report = state_.solve(l);
          analysis.solver_iterations += report.iterations;
          analysis.residual  = std::max(analysis.residual, report.residual);
          const double value = objective_.evaluate(state_, l, stiffness_, energies_).value;
          analysis.objective += state_.load_case(l).weight * value;
          analysis.case_objectives.push_back(value);
        }
    }
  catch (const SolverFailure &failure)
    {
      if (history_.empty())
        throw;
      analysis.obstacle = failure.reason;
      return analysis;
    }
  const double last = history_.empty() ? 0. : history_.back().objective;
  if (!history_.empty() && !(analysis.objective <= last + (most_growth - 1.) * std::abs(last)))
    analysis.obstacle =
      "the compliance grows from " + text_of(last) + " to " + text_of(analysis.objective);
  return analysis;
}

double IsoStress::find_stress()
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
  if (settings_.averages && !history_.empty())
    fields_->average(stress_, to_cut_);
  else
    to_cut_.copy_from(stress_);
  return communicator_.max(fields_->largest(n_owned_nodes_, stress_));
}

double IsoStress::volume_above(const double level) const
{
  return communicator_.sum(fields_->volume_above(to_cut_, level, flags_)) + kept_;
}

double IsoStress::level_for(const double volume, const double largest) const
{
  const double tolerance = volume_tolerance * volume;
  const double most      = volume_above(0.) - volume;
  if (!(most > tolerance))
    return 0.;
  // in units of the largest stress, whatever the units of the deck
  const auto excess  = [&](const double x) { return volume_above(x * largest) - volume; };
  const double found = bracketed_root(0., most, 1., kept_ - volume, tolerance, excess);
  // Where the cut of a face between two pairs of corners changes sides, the volume jumps. Beyond the jump, then,
  // together with all elements whose stress is the same but for rounding.
  constexpr double beyond = 1e-13;
  return largest * (std::abs(excess(found)) > tolerance ? found + beyond : found);
}

void IsoStress::cut()
{
  TimingTable::Scope scope(timing_, "volume fractions", &backend_);
  const double largest = communicator_.max(fields_->largest(n_owned_nodes_, to_cut_));
  const double floor   = std::max(volume_.target, (1. - largest_cut_) * material_);
  const std::size_t n  = history_.size();
  const bool by_factor = settings_.rule == IsoStressSettings::LevelRule::redistribution_factor;
  if (by_factor)
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
  // The factor decides alone, until a cut of its was refused.
  if (!by_factor || (largest_cut_ < 1. && volume_above(level_) < floor))
    level_ = level_for(floor, largest);
  next_material_ =
    communicator_.sum(fields_->fractions_above(to_cut_, level_, flags_, next_)) + kept_;
  if (!by_factor)
    factor_ = largest > 0. ? level_ / largest : 0.;
}

IterationRecord IsoStress::iterate()
{
  const auto start = TimingTable::Clock::now();
  IterationRecord record;
  record.iteration       = history_.empty() ? 1 : history_.back().iteration + 1;
  unsigned int n_refused = 0;
  const double first_largest_cut =
    settings_.rule == IsoStressSettings::LevelRule::volume ? settings_.evolution_rate : 1.;
  const auto take = [&](Analysis analysis) {
    record.objective       = analysis.objective;
    record.case_objectives = std::move(analysis.case_objectives);
    record.residual        = analysis.residual;
    record.solver_iterations += analysis.solver_iterations;
    return analysis.obstacle;
  };

  while (true)
    {
      const double cut_to        = next_material_; // islands may take away more
      const std::string obstacle = take(analyse(next_));
      if (obstacle.empty())
        {
          analysed_.swap(next_);
          material_ = next_material_;
          break;
        }
      if (history_.empty())
        throw SolverFailure("The whole body cannot be analysed: " + obstacle + ".",
                            Remedy::check_supports_or_use_jacobi);
      ++n_refused;
      largest_cut_ = 0.5 * std::max(0., std::min(largest_cut_, 1. - cut_to / material_));
      warn("the cut to the volume fraction " + text_of(volume_.fraction(next_material_)) +
           " was refused: " + obstacle);
      ended_ = largest_cut_ < least_cut * std::min(first_largest_cut, settings_.evolution_rate);
      if (ended_)
        {
          why_ended_              = obstacle;
          const std::string again = take(analyse(analysed_)); // for the results
          if (!again.empty())
            throw SolverFailure("The last sound design cannot be analysed again: " + again + ".",
                                Remedy::check_supports_or_use_jacobi);
          break;
        }
      warn("the next cuts take at most " + text_of(100. * largest_cut_) + " % of the volume");
      cut();
    }
  record.volume_fraction = volume_.fraction(material_);
  record.values          = {level_, factor_, find_stress(), static_cast<double>(n_refused)};
  history_.push_back(record);
  if (!ended_)
    cut();
  history_.back().seconds =
    std::chrono::duration<double>(TimingTable::Clock::now() - start).count();
  return history_.back();
}

void IsoStress::complete_last()
{
  complete_record(state_, objective_, stiffness_, energies_, history_.back());
}

bool IsoStress::converged() const
{
  const std::size_t n = history_.size();
  if (ended_ || n < 2)
    return false;
  const IterationRecord &last = history_[n - 1], &before = history_[n - 2];
  const double target = volume_.fraction(volume_.target);
  // PI = 1 / (C V), so that |PI - PI'| / PI = |1 - C V / (C' V')|
  const double ratio =
    last.objective * last.volume_fraction / (before.objective * before.volume_fraction);
  return last.volume_fraction <= target * volume_reached &&
         std::abs(1. - ratio) <= settings_.tolerance;
}

bool IsoStress::finished() const
{
  return ended_ || converged() ||
         (!history_.empty() && history_.back().iteration >= max_iterations_);
}

const std::vector<HistoryColumn> &IsoStress::columns() const
{
  static const std::vector<HistoryColumn> columns = {{"level", ""},
                                                     {"redistribution_factor", "RF"},
                                                     {"largest_stress", "max stress"},
                                                     {"refused_cuts", ""}};
  return columns;
}

DesignState IsoStress::state() const
{
  return {{next_.to_host(), analysed_.to_host()},
          {level_, factor_, next_material_, material_, largest_cut_, ended_ ? 1. : 0.},
          {to_cut_.to_host()}};
}

void IsoStress::restore(const DesignState &state, std::vector<IterationRecord> history)
{
  next_.copy_from_host(state.element_fields.at(0));
  analysed_.copy_from_host(state.element_fields.at(1));
  to_cut_.copy_from_host(state.node_fields.at(0));
  node_halo_.update_ghosts(to_cut_);
  level_         = state.numbers.at(0);
  factor_        = state.numbers.at(1);
  next_material_ = state.numbers.at(2);
  material_      = state.numbers.at(3);
  largest_cut_   = state.numbers.at(4);
  ended_         = state.numbers.at(5) != 0.;
  history_       = std::move(history);
}

std::string IsoStress::verdict() const
{
  if (history_.empty())
    return "";
  const double now    = history_.back().volume_fraction;
  const double target = volume_.fraction(volume_.target);
  std::string text;
  if (ended_)
    text = "no smaller design was sound" + (why_ended_.empty() ? "" : ": " + why_ended_) +
           ". This is the last sound one";
  else if (now > target * volume_reached)
    text = "the limit of iterations came first";
  if (!text.empty())
    text += ": its volume fraction is " + text_of(now) + ", where " + text_of(target) +
            " was asked" +
            (ended_ ? "; a finer mesh has thinner members" : "; allow more iterations");
  return text;
}

DesignMethodEntry iso_stress()
{
  return {
    "iso stress",
    "material where the von Mises stress is at least a level that rises step by step",
    [](const DesignContext &context,
       const ParameterValues &values) -> std::unique_ptr<DesignMethod> {
      IsoStressSettings settings;
      settings.rule             = values.at("Level") == 0.
                                    ? IsoStressSettings::LevelRule::volume
                                    : IsoStressSettings::LevelRule::redistribution_factor;
      settings.evolution_rate   = values.at("Evolution rate");
      settings.first_factor     = values.at("First redistribution factor");
      settings.factor_step      = values.at("Step of the redistribution factor");
      settings.steady_volume    = values.at("Steady volume");
      settings.tolerance        = values.at("Tolerance");
      settings.averages         = values.at("Stress to cut") == 0.;
      settings.keep             = static_cast<IsoStressSettings::Keep>(values.at("Solid elements"));
      settings.includes_outside = values.at("Outside elements") == 1.;
      settings.weak_stiffness   = values.at("Weak stiffness");
      return std::make_unique<IsoStress>(context, settings);
    },
    &IsoStress::memory_estimate,
    {{"Level",
      "volume: of the stress, such that the next volume is that of a schedule; redistribution factor: a factor "
      "times the largest stress (Martinez-Frutos and Herrero-Perez 2017).",
      0.,
      0.,
      1.,
      false,
      {"volume", "redistribution factor"}},
     {"Evolution rate",
      "With Level = volume: largest share of the volume that a cut takes.",
      0.03,
      1e-4,
      0.5},
     {"First redistribution factor", "With Level = redistribution factor.", 1e-3, 1e-6, 1.},
     {"Step of the redistribution factor",
      "By which the factor grows when the volume is steady.",
      1e-3,
      1e-6,
      1.},
     {"Steady volume", "Relative change of the volume below which the factor grows.", 1e-2, 0., 1.},
     {"Tolerance",
      "Of the end: the volume is reached, and 1 / (compliance times volume) changes by no more, relative.",
      1e-3,
      0.,
      1.},
     {"Stress to cut",
      "average: the mean of the stress of this design and the average before it, which ends cycles of two designs; "
      "last: that of this design.",
      0.,
      0.,
      1.,
      false,
      {"average", "last"}},
     {"Solid elements",
      "Which elements no cut takes: those around nodes with a load, with a support too, or none.",
      1.,
      0.,
      2.,
      false,
      {"none", "at loads", "at loads and supports"}},
     {"Outside elements",
      "exclude: elements without material have no stiffness and are not part of the system; include: they have the "
      "weak stiffness.",
      0.,
      0.,
      1.,
      false,
      {"exclude", "include"}},
     {"Weak stiffness",
      "Of the empty part of an element, relative to the material.",
      1e-6,
      1e-9,
      1e-2}}};
}
} // namespace strut
