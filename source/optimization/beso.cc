// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/beso.h"
#include "source/optimization/two_cycle.h"
#include "source/optimization/volume_threshold.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// The run ends when a change may take no more than this share of the largest change in the deck.
constexpr double least_change = 1. / 64.;
/// A volume up to this factor above the target counts as reached.
constexpr double volume_reached = 1. + 1e-10;
/// Largest number of designs of a run that keep the volume of the design before.
constexpr unsigned int most_holds = 60;
/// Number of designs whose compliances are compared with those of as many earlier designs.
constexpr std::size_t n_compared = 5;

bool is_hard(const BesoSettings &settings)
{
  return settings.kill == BesoSettings::Kill::hard;
}
double void_density(const BesoSettings &settings)
{
  return is_hard(settings) ? 0. : settings.minimum_density;
}
Interpolation interpolation(const BesoSettings &settings)
{
  return {settings.penalization, 0., is_hard(settings)};
}
} // namespace

Beso::Beso(const DesignContext &context, const BesoSettings &settings)
  : Evolution(context,
              interpolation(settings),
              void_density(settings),
              settings.evolution_rate,
              least_change * settings.evolution_rate,
              settings.keep)
  , settings_(settings)
  , interpolation_(interpolation(settings))
  , volumes_(context.mesh.volumes)
  , volumes_on_backend_(backend_.memory(), volumes_)
  , sum_(backend_.memory(), context.mesh.n_elements)
  , alpha_(backend_.memory(), context.mesh.n_elements)
  , change_{volume_.design}
  , most_added_(settings.most_added)
{
  if (context.filter_radius > 0.)
    mean_ = std::make_unique<NeighbourhoodMean>(backend_,
                                                communicator_,
                                                context.mesh,
                                                context.filter_radius,
                                                context.settings.filter_weights);
  if (is_hard(settings))
    {
      fields_    = backend_.make_nodal_fields(context.mesh);
      load_path_ = std::make_unique<LoadPath>(
        backend_, communicator_, context.mesh, context.state, context.mirrors);
    }
}

double Beso::memory_estimate(const MeshSize &size, const double filter_radius)
{
  // Volumes, next and analysed design, stiffness, energies, sum, alpha; flags; and the volumes,
  // affine flags and twice the connectivity of NodalFields.
  const double per_element = 8. * sizeof(double) + 2. + 16. * sizeof(LocalIndex);
  // Coordinates; twice the labels; where lists begin.
  const double per_node = 3. * sizeof(double) + 3. * sizeof(LocalIndex);
  return per_element * static_cast<double>(size.n_elements) +
         per_node * static_cast<double>(size.n_nodes) +
         (filter_radius > 0. ? NeighbourhoodMean::memory_estimate(size.n_elements) : 0.);
}

bool Beso::has_reached_volume() const
{
  return scheduled_ <= volume_.target * volume_reached;
}

std::string Beso::volume_step() const
{
  return "elements with the same sensitivity, as mirror images have, go together, and the next steps of that size "
         "are further away; take smaller elements";
}

void Beso::begin_analysis()
{
  sum_.set_zero();
}

void Beso::add_load_case(const double weight, const Array<double> &design)
{
  // E' = p x^(p-1); the sensitivities are subtracted.
  backend_.design_operations().add_sensitivities(
    interpolation_, -weight / (2. * settings_.penalization), design, energies_, sum_);
}

void Beso::on_accepted()
{
  // Where so few elements are left that none was removed, the schedule goes on without them.
  base_        = next_material_ < material_ ? next_material_ : change_.scheduled;
  scheduled_   = change_.scheduled;
  n_at_target_ = has_reached_volume() ? n_at_target_ + 1 : 0;
  most_added_  = largest_addition(); // Material that a refused change removed may be added again.
}

void Beso::on_refused()
{
  // Material that carries the load where the change has left too little shall stay.
  if (was_solved_)
    {
      take_sensitivities();
      const std::vector<double> refused = sum_.to_host();
      std::vector<double> alpha         = alpha_.to_host();
      for (std::size_t e = 0; e < alpha.size(); ++e)
        alpha[e] = std::max(alpha[e], refused[e]);
      alpha_.copy_from_host(alpha);
    }
  most_added_ = 0.5 * std::min(most_added_, change_.added / volume_.design);
  if (most_added_ < least_change * settings_.most_added)
    most_added_ = 0.;
}

bool Beso::holds_volume() const
{
  double least   = 0.; // Least C V of the history.
  unsigned int n = 0;  // Designs with broken members.
  bool is_broken = false;
  for (const IterationRecord &record : history_)
    {
      const double of_record = index(record);
      if (!(of_record > 0.)) // With prescribed displacements the index says nothing.
        return false;
      least     = least == 0. ? of_record : std::min(least, of_record);
      is_broken = of_record > most_growth_of_index * least;
      n += is_broken ? 1 : 0;
    }
  return is_broken && n <= most_holds;
}

double Beso::largest_addition() const
{
  return std::ldexp(settings_.most_added, -static_cast<int>(halvings_against_two_cycles(history_)));
}

void Beso::take_sensitivities()
{
  backend_.vector_operations<double>().divide(volumes_.size(), sum_, volumes_on_backend_, sum_);
  if (mean_ != nullptr)
    mean_->apply(sum_, sum_);
}

std::vector<double> Beso::measure()
{
  TimingTable::Scope scope(timing_, "filter", &backend_);
  const auto &vectors = backend_.vector_operations<double>();
  const std::size_t n = volumes_.size();
  take_sensitivities();
  if (history_.empty())
    alpha_.copy_from(sum_);
  else
    {
      vectors.xpby(n, sum_, 1., alpha_);
      vectors.axpy(n, -0.5, alpha_, alpha_);
    }
  if (ended_)
    return {0., 0., 0.}; // This design was in the history before.
  return {change_.threshold, change_.added / volume_.design, change_.removed / volume_.design};
}

void Beso::change()
{
  TimingTable::Scope scope(timing_, "update", &backend_);
  const std::vector<double> alpha = alpha_.to_host(), now = analysed_.to_host();
  std::vector<RankedVolume> solid, all;
  for (std::size_t e = 0; e < kept_.flags.size(); ++e)
    if (kept_.flags[e] == DesignFlag::design)
      {
        all.push_back({alpha[e], volumes_[e]});
        if (now[e] == 1.)
          solid.push_back(all.back());
      }
  const auto volume_of = [&](const bool is_solid, const double least) {
    double sum = 0.;
    for (std::size_t e = 0; e < kept_.flags.size(); ++e)
      if (kept_.flags[e] == DesignFlag::design && (now[e] == 1.) == is_solid && alpha[e] >= least)
        sum += volumes_[e];
    return communicator_.sum(sum);
  };

  const double rate  = holds_volume() ? 0. : largest_change_;
  change_.scheduled  = std::max(volume_.target, (1. - rate) * base_);
  change_.threshold  = volume_threshold(communicator_, all, change_.scheduled - kept_.volume);
  double to_add      = change_.threshold;
  change_.added      = volume_of(false, to_add);
  const double limit = most_added_ * volume_.design;
  if (change_.added > limit * volume_reached)
    {
      std::vector<RankedVolume> empty;
      for (std::size_t e = 0; e < kept_.flags.size(); ++e)
        if (kept_.flags[e] == DesignFlag::design && now[e] != 1.)
          empty.push_back({alpha[e], volumes_[e]});
      to_add        = volume_threshold(communicator_, empty, limit, VolumeRounding::never_more);
      change_.added = volume_of(false, to_add);
      change_.threshold =
        volume_threshold(communicator_, solid, change_.scheduled - kept_.volume - change_.added);
    }
  const double stays = kept_.volume + volume_of(true, change_.threshold);
  change_.removed    = material_ - stays;
  next_material_     = stays + change_.added;

  std::vector<double> next = now;
  for (std::size_t e = 0; e < kept_.flags.size(); ++e)
    if (kept_.flags[e] == DesignFlag::design)
      next[e] = alpha[e] >= (now[e] == 1. ? change_.threshold : to_add) ? 1. : void_density_;
  next_.copy_from_host(next);
}

bool Beso::converged() const
{
  const std::size_t n = history_.size();
  if (ended_ || n_at_target_ < 2 * n_compared || ends_in_two_cycle(history_))
    return false;
  double last = 0., before = 0.;
  for (std::size_t i = n - n_compared; i < n; ++i)
    {
      last += history_[i].objective;
      before += history_[i - n_compared].objective;
    }
  return std::abs(last - before) <= settings_.tolerance * std::abs(last);
}

const std::vector<HistoryColumn> &Beso::columns() const
{
  static const std::vector<HistoryColumn> columns = {{"threshold", ""},
                                                     {"added_volume", "added"},
                                                     {"removed_volume", "removed"},
                                                     {"refused_changes", ""}};
  return columns;
}

DesignState Beso::own_state() const
{
  return {{alpha_.to_host()},
          {change_.scheduled,
           change_.threshold,
           change_.added,
           change_.removed,
           base_,
           scheduled_,
           most_added_,
           static_cast<double>(n_at_target_)}};
}

void Beso::restore_own(const DesignState &state)
{
  alpha_.copy_from_host(state.element_fields.at(0));
  const std::vector<double> &numbers = state.numbers;
  change_                            = {numbers.at(0), numbers.at(1), numbers.at(2), numbers.at(3)};
  base_                              = numbers.at(4);
  scheduled_                         = numbers.at(5);
  most_added_                        = numbers.at(6);
  n_at_target_                       = static_cast<std::size_t>(numbers.at(7));
}

void BesoSettings::declare(ParameterList &list)
{
  list.add<Kill>(
    "Void elements",
    kill,
    {{"soft", Kill::soft}, {"excluded", Kill::hard}},
    "soft: they have the density of the void; excluded: they have no stiffness and are not part of the system.");
  list.add("Evolution rate",
           evolution_rate,
           {1e-4, 0.5},
           "Largest share of the volume that a change takes.");
  list.add("Largest addition",
           most_added,
           {0., 1.},
           "Of material where there was none, by a change: a share of the volume to design.");
  list.add(
    "Tolerance",
    tolerance,
    {0., 1.},
    "Of the end: ten designs have the volume, and the sums of the compliance over the last five and the five "
    "before differ by no more, relative.");
  list.add("Density of the void",
           minimum_density,
           {1e-6, 0.1},
           "With soft void elements; the volume does not count it.");
  list.add("Penalization",
           penalization,
           {1., 6.},
           "Exponent of the density in the stiffness, for soft void elements.");
  declare_solid_elements(list, keep);
}

DesignMethodEntry beso()
{
  DesignMethodEntry entry = {
    "beso",
    "elements with material or without, by their strain energy in the mean over their neighbours",
    [](const DesignContext &context,
       const ParameterValues &values) -> std::unique_ptr<DesignMethod> {
      return std::make_unique<Beso>(context, settings_from<BesoSettings>(values));
    },
    &Beso::memory_estimate,
    parameters_of<BesoSettings>()};
  entry.has_own_filter = true;
  entry.excludes_void  = [](const ParameterValues &values) {
    return is_hard(settings_from<BesoSettings>(values));
  };
  entry.steadied_by = {"Largest addition", ""};
  entry.obstacle    = [](const LoadCase &load_case) -> std::string {
    return load_case.follows_design()
                ? "it leaves out how a load follows the material.\n  Use another method, or a force that does not follow the material."
                : "";
  };
  entry.check = [](const DesignCheck &design, const ParameterValues &values) {
    keep_elements(design, settings_from<BesoSettings>(values).keep);
  };
  return entry;
}
} // namespace strut
