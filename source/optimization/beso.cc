// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/beso.h"
#include "source/optimization/complete_record.h"
#include "source/optimization/volume_threshold.h"

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
/// The run ends when changes may take no more than this share of what the deck allows.
constexpr double least_change = 1. / 64.;
/// Until when the volume of the schedule counts as reached.
constexpr double volume_reached = 1. + 1e-10;
/// The designs whose compliance is compared with that of as many before.
constexpr std::size_t n_compared = 5;

/// A number for a message: a few digits.
std::string text_of(const double value)
{
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}
} // namespace

Beso::Beso(const DesignContext &context, const BesoSettings &settings)
  : backend_(context.execution.backend)
  , communicator_(context.execution.communicator)
  , timing_(context.execution.timing)
  , state_(context.state)
  , objective_(context.objective)
  , settings_(settings)
  , interpolation_{settings.penalization, 0., is_hard()}
  , void_density_(is_hard() ? 0. : settings.minimum_density)
  , max_iterations_(context.settings.stopping.max_iterations)
  , volume_(VolumeConstraint::build(communicator_,
                                    context.mesh,
                                    context.settings.volume_fraction,
                                    0.,
                                    context.settings.count_non_design))
  , flags_(context.mesh.flags)
  , volumes_(context.mesh.volumes)
  , flags_on_backend_(backend_.memory(), flags_)
  , volumes_on_backend_(backend_.memory(), volumes_)
  , next_(backend_.memory(), VolumeConstraint::uniform_design(context.mesh, void_density_, 1.))
  , analysed_(backend_.memory(), context.mesh.n_elements)
  , stiffness_(backend_.memory(), context.mesh.n_elements)
  , energies_(backend_.memory(), context.mesh.n_elements)
  , sum_(backend_.memory(), context.mesh.n_elements)
  , alpha_(backend_.memory(), context.mesh.n_elements)
  , change_{volume_.design, volume_.design}
  , largest_cut_(settings.evolution_rate)
  , most_added_(settings.most_added)
{
  if (context.filter_radius > 0.)
    mean_ = std::make_unique<NeighbourhoodMean>(backend_,
                                                communicator_,
                                                context.mesh,
                                                context.filter_radius);
  if (is_hard())
    {
      fields_    = backend_.make_nodal_fields(context.mesh);
      load_path_ = std::make_unique<LoadPath>(
        backend_, communicator_, context.mesh, context.state, context.mirrors);
    }
}

double Beso::memory_estimate(const MeshSize &size)
{
  // volumes, next and analysed design, stiffness, energies, sum, alpha; flags; those of NodalFields: volumes, affine,
  // connectivity twice
  const double per_element = 8. * sizeof(double) + 2. + 16. * sizeof(LocalIndex);
  // coordinates; labels twice, begin
  const double per_node = 3. * sizeof(double) + 3. * sizeof(LocalIndex);
  return per_element * static_cast<double>(size.n_elements) +
         per_node * static_cast<double>(size.n_nodes);
}

bool Beso::is_at_target() const
{
  return scheduled_ <= volume_.target * volume_reached;
}

void Beso::warn(const std::string &text)
{
  warnings_ += (warnings_.empty() ? "" : "; ") + text;
}

Beso::Analysis Beso::analyse(Array<double> &design)
{
  Analysis analysis;
  if (is_hard())
    {
      TimingTable::Scope scope(timing_, "load path", &backend_);
      const LoadPath::Report report = load_path_->look_at(*fields_, flags_on_backend_, design);
      analysis.obstacle             = report.obstacle;
      if (report.n_islands > 0)
        warn("material that no load acts on was taken away, " +
             text_of(100. * report.volume / volume_.design) + " % of the volume to design");
      change_.material -= report.volume;
    }
  if (!analysis.obstacle.empty())
    return analysis;
  const auto &fields = backend_.design_operations();
  try
    {
      fields.interpolate(interpolation_, design, stiffness_);
      state_.set_stiffness(stiffness_);
      state_.set_densities(design);
      sum_.set_zero();
      for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
        {
          const double weight       = state_.load_case(l).weight;
          const SolverReport report = state_.solve(l);
          analysis.solver_iterations += report.iterations;
          analysis.residual  = std::max(analysis.residual, report.residual);
          const double value = objective_.evaluate(state_, l, stiffness_, energies_).value;
          analysis.objective += weight * value;
          analysis.case_objectives.push_back(value);
          // E' = p x^(p-1), and they are subtracted
          fields.add_sensitivities(
            interpolation_, -weight / (2. * settings_.penalization), design, energies_, sum_);
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

void Beso::find_numbers()
{
  TimingTable::Scope scope(timing_, "filter", &backend_);
  const auto &vectors = backend_.vector_operations<double>();
  const std::size_t n = volumes_.size();
  vectors.divide(n, sum_, volumes_on_backend_, sum_);
  if (mean_ != nullptr)
    mean_->apply(sum_, sum_);
  if (history_.empty())
    alpha_.copy_from(sum_);
  else
    {
      vectors.xpby(n, sum_, 1., alpha_);
      vectors.axpy(n, -0.5, alpha_, alpha_);
    }
}

void Beso::change()
{
  TimingTable::Scope scope(timing_, "update", &backend_);
  const std::vector<double> alpha = alpha_.to_host(), now = analysed_.to_host();
  std::vector<RankedVolume> solid, all;
  for (std::size_t e = 0; e < flags_.size(); ++e)
    if (flags_[e] == DesignFlag::design)
      {
        all.push_back({alpha[e], volumes_[e]});
        if (now[e] == 1.)
          solid.push_back(all.back());
      }
  const auto volume_of = [&](const bool is_solid, const double least) {
    double sum = 0.;
    for (std::size_t e = 0; e < flags_.size(); ++e)
      if (flags_[e] == DesignFlag::design && (now[e] == 1.) == is_solid && alpha[e] >= least)
        sum += volumes_[e];
    return communicator_.sum(sum);
  };

  change_.scheduled  = std::max(volume_.target, (1. - largest_cut_) * base_);
  change_.threshold  = volume_threshold(communicator_, all, change_.scheduled);
  double to_add      = change_.threshold;
  change_.added      = volume_of(false, to_add);
  const double limit = most_added_ * volume_.design;
  if (change_.added > limit * volume_reached)
    {
      std::vector<RankedVolume> empty;
      for (std::size_t e = 0; e < flags_.size(); ++e)
        if (flags_[e] == DesignFlag::design && now[e] != 1.)
          empty.push_back({alpha[e], volumes_[e]});
      to_add            = volume_threshold(communicator_, empty, limit, VolumeRounding::never_more);
      change_.added     = volume_of(false, to_add);
      change_.threshold = volume_threshold(communicator_, solid, change_.scheduled - change_.added);
    }
  const double kept = volume_of(true, change_.threshold);
  change_.removed   = material_ - kept;
  change_.material  = kept + change_.added;

  std::vector<double> next = now;
  for (std::size_t e = 0; e < flags_.size(); ++e)
    if (flags_[e] == DesignFlag::design)
      next[e] = alpha[e] >= (now[e] == 1. ? change_.threshold : to_add) ? 1. : void_density_;
  next_.copy_from_host(next);
}

IterationRecord Beso::iterate()
{
  const auto start = TimingTable::Clock::now();
  IterationRecord record;
  record.iteration       = history_.empty() ? 1 : history_.back().iteration + 1;
  unsigned int n_refused = 0;
  const auto take        = [&](Analysis analysis) {
    record.objective       = analysis.objective;
    record.case_objectives = std::move(analysis.case_objectives);
    record.residual        = analysis.residual;
    record.solver_iterations += analysis.solver_iterations;
    return analysis.obstacle;
  };

  while (true)
    {
      const std::string obstacle = take(analyse(next_));
      if (obstacle.empty())
        {
          analysed_.swap(next_);
          // where so few elements are left that none went, the schedule goes on without them
          base_        = change_.material < material_ ? change_.material : change_.scheduled;
          scheduled_   = change_.scheduled;
          material_    = change_.material;
          n_at_target_ = is_at_target() ? n_at_target_ + 1 : 0;
          break;
        }
      if (history_.empty())
        throw SolverFailure("The whole body cannot be analysed: " + obstacle + ".",
                            Remedy::check_supports_or_use_jacobi);
      ++n_refused;
      warn("the change to the volume fraction " + text_of(volume_.fraction(change_.material)) +
           " was refused: " + obstacle);
      largest_cut_ *= 0.5;
      most_added_ = 0.5 * std::min(most_added_, change_.added / volume_.design);
      if (most_added_ < least_change * settings_.most_added)
        most_added_ = 0.;
      ended_ = largest_cut_ < least_change * settings_.evolution_rate;
      if (ended_)
        {
          why_ended_              = obstacle;
          change_                 = {scheduled_, material_};
          const std::string again = take(analyse(analysed_)); // for the results
          if (!again.empty())
            throw SolverFailure("The last sound design cannot be analysed again: " + again + ".",
                                Remedy::check_supports_or_use_jacobi);
          break;
        }
      warn("the next changes are at most half as large");
      change();
    }
  record.volume_fraction = volume_.fraction(material_);
  record.values          = {change_.threshold,
                            change_.added / volume_.design,
                            change_.removed / volume_.design,
                            static_cast<double>(n_refused)};
  if (!ended_)
    {
      find_numbers();
      change();
    }
  record.seconds = std::chrono::duration<double>(TimingTable::Clock::now() - start).count();
  history_.push_back(record);
  return record;
}

void Beso::complete_last()
{
  complete_record(state_, objective_, stiffness_, energies_, history_.back());
}

bool Beso::converged() const
{
  const std::size_t n = history_.size();
  if (ended_ || n_at_target_ < 2 * n_compared)
    return false;
  double last = 0., before = 0.;
  for (std::size_t i = n - n_compared; i < n; ++i)
    {
      last += history_[i].objective;
      before += history_[i - n_compared].objective;
    }
  return std::abs(last - before) <= settings_.tolerance * std::abs(last);
}

bool Beso::finished() const
{
  return ended_ || converged() ||
         (!history_.empty() && history_.back().iteration >= max_iterations_);
}

const std::vector<HistoryColumn> &Beso::columns() const
{
  static const std::vector<HistoryColumn> columns = {{"threshold", ""},
                                                     {"added_volume", "added"},
                                                     {"removed_volume", "removed"},
                                                     {"refused_changes", ""}};
  return columns;
}

DesignState Beso::state() const
{
  return {{next_.to_host(), analysed_.to_host(), alpha_.to_host()},
          {change_.scheduled,
           change_.material,
           change_.threshold,
           change_.added,
           change_.removed,
           base_,
           scheduled_,
           material_,
           largest_cut_,
           most_added_,
           static_cast<double>(n_at_target_),
           ended_ ? 1. : 0.}};
}

void Beso::restore(const DesignState &state, std::vector<IterationRecord> history)
{
  next_.copy_from_host(state.element_fields.at(0));
  analysed_.copy_from_host(state.element_fields.at(1));
  alpha_.copy_from_host(state.element_fields.at(2));
  const std::vector<double> &numbers = state.numbers;
  change_      = {numbers.at(0), numbers.at(1), numbers.at(2), numbers.at(3), numbers.at(4)};
  base_        = numbers.at(5);
  scheduled_   = numbers.at(6);
  material_    = numbers.at(7);
  largest_cut_ = numbers.at(8);
  most_added_  = numbers.at(9);
  n_at_target_ = static_cast<std::size_t>(numbers.at(10));
  ended_       = numbers.at(11) != 0.;
  history_     = std::move(history);
}

std::string Beso::verdict() const
{
  if (history_.empty())
    return "";
  std::string text;
  if (ended_)
    text = "no other design was sound" + (why_ended_.empty() ? "" : ": " + why_ended_) +
           ". This is the last sound one";
  else if (!is_at_target())
    text = "the limit of iterations came first";
  if (!text.empty())
    text += ": its volume fraction is " + text_of(history_.back().volume_fraction) + ", where " +
            text_of(volume_.fraction(volume_.target)) + " was asked" +
            (ended_ ? "; a finer mesh has thinner members" : "; allow more iterations");
  return text;
}

DesignMethodEntry beso()
{
  DesignMethodEntry entry = {
    "beso",
    "elements with material or without, by their strain energy in the mean over their neighbours",
    [](const DesignContext &context,
       const ParameterValues &values) -> std::unique_ptr<DesignMethod> {
      BesoSettings settings;
      settings.kill =
        values.at("Void elements") == 0. ? BesoSettings::Kill::soft : BesoSettings::Kill::hard;
      settings.evolution_rate  = values.at("Evolution rate");
      settings.most_added      = values.at("Largest addition");
      settings.tolerance       = values.at("Tolerance");
      settings.minimum_density = values.at("Density of the void");
      settings.penalization    = values.at("Penalization");
      return std::make_unique<Beso>(context, settings);
    },
    &Beso::memory_estimate,
    {{"Void elements",
      "soft: they have the density of the void; excluded: they have no stiffness and are not part of the system.",
      0.,
      0.,
      1.,
      false,
      {"soft", "excluded"}},
     {"Evolution rate", "Largest share of the volume that a change takes.", 0.02, 1e-4, 0.5},
     {"Largest addition",
      "Of material where there was none, by a change: a share of the volume to design.",
      0.05,
      0.,
      1.},
     {"Tolerance",
      "Of the end: ten designs have the volume, and the sums of the compliance over the last five and the five before "
      "differ by no more, relative.",
      1e-3,
      0.,
      1.},
     {"Density of the void",
      "With soft void elements; the volume does not count it.",
      1e-3,
      1e-6,
      0.1},
     {"Penalization",
      "Exponent of the density in the stiffness, for soft void elements.",
      3.,
      1.,
      6.}}};
  entry.takes_filter_radius = true;
  return entry;
}
} // namespace strut
