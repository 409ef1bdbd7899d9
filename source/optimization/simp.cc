// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/simp.h"
#include "source/backend/to_host.h"
#include "source/base/parallel_loop.h"
#include "source/optimization/design_methods.h"
#include "source/optimization/short_text.h"
#include "source/optimization/updates/bracketed_root.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// A warning of the update is reported when it occurs for this many designs in a row.
constexpr unsigned int patience = 5;

std::unique_ptr<SensitivityFilter> make_sensitivity_filter(const Execution &execution,
                                                           const ElementMesh &mesh,
                                                           const DesignChain &map,
                                                           const OptimizationSettings &settings)
{
  if (!(settings.sensitivity_radius > 0.))
    return nullptr;
  if (!map.empty())
    throw Error(
      "The sensitivity filter takes densities that are the design variables, and there are maps "
      "between them. Leave one of them out.");
  return std::make_unique<SensitivityFilter>(execution.backend,
                                             execution.communicator,
                                             mesh,
                                             settings.sensitivity_radius,
                                             settings.filter_weights);
}
} // namespace

Simp::Simp(const Execution &execution,
           const ElementMesh &mesh,
           StateSolver &state,
           OptimizationProblem problem,
           DesignChain &map,
           const OptimizationSettings &settings)
  : backend_(execution.backend)
  , communicator_(execution.communicator)
  , state_(state)
  , map_(map)
  , sensitivity_filter_(make_sensitivity_filter(execution, mesh, map, settings))
  , settings_(settings)
  , timing_(execution.timing)
  , n_elements_(mesh.n_elements)
  , volume_(VolumeConstraint::build(communicator_,
                                    mesh,
                                    settings.volume_fraction,
                                    settings.criteria.minimum_density,
                                    settings.count_non_design))
  , limit_(volume_)
  , flags_(backend_.memory(), mesh.flags)
  , volumes_(backend_.memory(),
             mesh.volumes,
             !map.empty() || find_design_update(settings.update).takes_common_volume)
  , design_(backend_.memory(), n_elements_)
  , next_design_(backend_.memory(), n_elements_)
  , functions_(backend_, n_elements_, state.n_load_cases(), std::move(problem))
  , fields_(make_fields(backend_.memory(), robust(), map.empty() ? 0 : n_elements_))
  , volume_sensitivities_(backend_.memory(), map.empty() ? 0 : n_elements_)
  , update_(make_design_update(settings.update,
                               {backend_,
                                communicator_,
                                map,
                                settings.criteria,
                                limit_.constraint(),
                                flags_,
                                volumes_,
                                settings.update_values}))
  , moves_(settings.criteria.move_limit, !update_->damps_alternation())
  , volume_check_(volume_.fraction(volume_.target))
{
  columns_ = {{"density_change", "change"}};
  for (const HistoryColumn &column : update_->columns())
    columns_.push_back(column);
  if (robust().enabled())
    {
      check_fields(mesh);
      for (const Field name : robust().analysed())
        columns_.push_back(
          {std::string("objective_") + RobustFields::name_of(name), RobustFields::name_of(name)});
      for (const Field name : {Field::eroded, Field::dilated})
        columns_.push_back({std::string("volume_fraction_") + RobustFields::name_of(name), ""});
    }
  for (const DesignConstraint &constraint : functions_.problem().constraints)
    columns_.push_back({constraint.function.name, constraint.function.name, true});
  const double least = settings.criteria.minimum_density;
  const double value = map.empty() ? volume_.target / volume_.design
                                   : value_of_volume(backend_,
                                                     communicator_,
                                                     mesh,
                                                     volume_,
                                                     volumes_,
                                                     least,
                                                     map,
                                                     design_,
                                                     field(Field::blueprint).densities);
  next_design_.copy_from_host(VolumeConstraint::uniform_design(mesh, least, value));
}

double Simp::memory_estimate(const std::size_t n_elements)
{
  // Design, next design, sensitivities; flags.
  return (3. * sizeof(double) + 1.) * static_cast<double>(n_elements);
}

double value_of_volume(Backend &backend,
                       const Communicator &communicator,
                       const ElementMesh &mesh,
                       const VolumeConstraint &volume,
                       const DesignVolumes &volumes,
                       const double minimum_density,
                       DesignChain &map,
                       Array<double> &design,
                       Array<double> &densities)
{
  // Solid neighbours and projections make the volume differ from that of the design variables.
  const auto excess = [&](const double x) {
    design.copy_from_host(VolumeConstraint::uniform_design(mesh, minimum_density, x));
    map.forward(design, densities);
    return volume.material(backend, communicator, volumes, densities) - volume.target;
  };
  const double tolerance = 1e-9 * volume.target;
  const double value     = volume.target / volume.design;
  const double here      = excess(value);
  if (std::abs(here) <= tolerance)
    return value;
  const double end   = here > 0. ? minimum_density : 1.;
  const double there = excess(end);
  if ((here > 0.) != (there > 0.))
    return bracketed_root(value, here, end, there, tolerance, excess);
  const double got = volume.fraction(volume.target + there);
  if (misses_volume(volume.fraction(volume.target), got))
    throw Error(
      "With these maps the densities fill at " + std::string(here > 0. ? "least" : "most") +
        " a volume fraction of " + short_text(got) + ", where " +
        short_text(volume.fraction(volume.target)) +
        " was asked: they follow the rules of the maps, and the solid and void regions around them.",
      here > 0. ? Remedy::raise_volume_fraction : Remedy::shrink_non_design_regions);
  return end; // This is the nearest volume; the volume check reports the difference.
}

IterationRecord Simp::iterate()
{
  const auto start = TimingTable::Clock::now();
  IterationRecord record;
  record.iteration = history_.empty() ? 1 : history_.back().iteration + 1;
  if (record.iteration > 1 && map_.unchanged_since(record.iteration) == record.iteration)
    if (const std::string parameters = map_.parameters_in(record.iteration); !parameters.empty())
      warn("from this design on " + parameters);

  // (1) The densities of this design, in each of its fields.
  design_.swap(next_design_);
  map_design(record.iteration);

  // (2) Their stiffness, displacements, and the functions with their derivatives, load case by load
  //     case.
  try
    {
      evaluate(analysed(), SolveTo::tolerance_or_limit, Wanted::derivatives, next_design_, record);
    }
  catch (const SolverFailure &)
    {
      revert_design();
      throw;
    }
  blueprint_constraints_.clear(); // They belong to the design before.

  // (3) Back through the maps.
  {
    TimingTable::Scope scope(timing_, "filter", &backend_);
    transform_derivatives(record.iteration);
  }

  // (4) The next design, and whether this one keeps the promise of the last update.
  {
    TimingTable::Scope scope(timing_, "update", &backend_);
    measure_volumes();
    record.volume_fraction = field(Field::blueprint).record->volume_fraction;
    if (robust().enabled())
      renew_volume_limit(record);
    else if (update_->fills_volume())
      if (const std::string warning = volume_check_.check(record.volume_fraction, promised_);
          !warning.empty())
        warnings_ = warning;
    if (const std::string note = moves_.answer_two_cycles(history_); !note.empty())
      warn(note);
    // Copied, since trials overwrite the values.
    const std::vector<double> constraints = functions_.constraint_values();
    const DesignUpdate::Step step         = step_from(record, constraints);
    promised_                             = step.holds;
    n_step_warnings_                      = step.warning.empty() ? 0 : n_step_warnings_ + 1;
    if (n_step_warnings_ == patience && !std::exchange(told_step_warning_, true))
      warn(step.warning);
    record.values = values_for_history(step.values, constraints);
  }

  record.seconds = std::chrono::duration<double>(TimingTable::Clock::now() - start).count();
  history_.push_back(record);
  return record;
}

void Simp::transform_derivatives(const unsigned int iteration)
{
  functions_.backward(map_, design_, iteration);
  if (!map_.empty() && !knows_volume_sensitivities_)
    {
      volumes_.copy_to(backend_, volume_sensitivities_);
      map_.backward(design_, volume_sensitivities_, {iteration, limited().shift});
      // The sensitivities of affine maps hold for all designs.
      knows_volume_sensitivities_ = map_.is_affine();
    }
  if (sensitivity_filter_ != nullptr)
    sensitivity_filter_->apply(design_, functions_.rows().front().derivative, &next_design_);
}

std::vector<double> Simp::values_for_history(const std::vector<double> &of_update,
                                             const std::vector<double> &constraints) const
{
  std::vector<double> of_fields = objectives_of_fields();
  for (const DesignField &field : fields_)
    if (field.name != Field::blueprint)
      of_fields.push_back(field.record->volume_fraction);
  const auto &vectors = backend_.vector_operations<double>();
  std::vector<double> all{
    communicator_.max(vectors.max_difference(n_elements_, design_, next_design_))};
  for (const std::vector<double> &values : {of_update, of_fields, constraints})
    all.insert(all.end(), values.begin(), values.end());
  return all;
}

DesignUpdate::Step Simp::step_from(IterationRecord &record, const std::vector<double> &constraints)
{
  // A projection that gets sharper changes the volume of the same design. Halved moves may be too
  // small to hold it.
  const unsigned int next = record.iteration + 1;
  const bool maps_change  = map_.unchanged_since(next) == next;
  const DesignPoint here  = point(record);
  for (double move = move_limit(constraints);; move *= 2.)
    {
      update_->set_move_limit(move);
      try
        {
          DesignUpdate::Step step = update_->step(here, next_design_);
          if (!maps_change || step.holds || move >= settings_.criteria.move_limit)
            return step;
        }
      catch (const SolverFailure &) // The failure occurred in a trial.
        {
          revert_design();
          throw;
        }
    }
}

void Simp::revert_design()
{
  next_design_.copy_from(design_);
  functions_.abandon();
}

void Simp::complete_last()
{
  IterationRecord &record = history_.back();
  evaluate(analysed(), SolveTo::tolerance, Wanted::values, free_array(), record);
  record_objectives();
  const std::vector<double> of_fields = objectives_of_fields();
  std::copy(of_fields.begin(),
            of_fields.end(),
            record.values.begin() +
              static_cast<std::ptrdiff_t>(first_of_update + update_->columns().size()));
  const std::vector<double> values = functions_.constraint_values();
  std::copy(values.begin(),
            values.end(),
            record.values.end() - static_cast<std::ptrdiff_t>(values.size()));
}

std::vector<double> Simp::analysed_densities() const
{
  return to_host(backend_.memory(), densities_of(field(Field::blueprint)));
}

std::vector<double> Simp::analysed_stiffness() const
{
  std::vector<double> factors = to_host(backend_.memory(), densities_of(field(selected_)));
  cpu::parallel_for(cpu::default_n_threads(), n_elements_, [&](const std::size_t e) {
    factors[e] = settings_.interpolation.stiffness(factors[e]);
  });
  return factors;
}

DesignState Simp::state() const
{
  // The design and the states of responses, adjoints, fields and update. A response with a state
  // comes with its numbers of numbers and fields first.
  DesignState state;
  const auto append = [](auto &all, auto more) {
    all.insert(all.end(),
               std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  };
  state.element_fields.push_back(to_host(backend_.memory(), next_design_));
  state.numbers.push_back(static_cast<double>(sizes_.size()));
  append(state.numbers, sizes_);
  for (const Response *const response : functions_.responses())
    {
      ResponseState of_response = response->state();
      if (of_response.numbers.empty())
        continue;
      state.numbers.push_back(static_cast<double>(of_response.numbers.size()));
      state.numbers.push_back(static_cast<double>(of_response.element_fields.size()));
      append(state.numbers, of_response.numbers);
      append(state.element_fields, std::move(of_response.element_fields));
    }
  add_adjoints(state);
  if (robust().enabled())
    {
      append(state.numbers, limit_.state());
      state.numbers.push_back(static_cast<double>(blueprint_constraints_.size()));
      append(state.numbers, blueprint_constraints_);
      add_displacements(state);
    }
  DesignState of_update = update_->state();
  append(state.numbers, of_update.numbers);
  append(state.element_fields, std::move(of_update.element_fields));
  return state;
}

void Simp::restore(const DesignState &state, std::vector<IterationRecord> history)
{
  next_design_.copy_from_host(state.element_fields.at(0));
  history_         = std::move(history);
  auto number      = state.numbers.cbegin();
  auto of_elements = state.element_fields.begin() + 1;
  // Returns the next n of these.
  const auto take = [](auto &next, const double n) {
    const auto begin = next;
    next += static_cast<std::ptrdiff_t>(n);
    return std::make_pair(begin, next);
  };
  const double n_sizes = *number++;
  const auto of_sizes  = take(number, n_sizes);
  sizes_               = {of_sizes.first, of_sizes.second};
  for (Response *const response : functions_.responses())
    {
      if (response->state().numbers.empty())
        continue;
      const double n_numbers = *number++;
      const double n_fields  = *number++;
      const auto numbers     = take(number, n_numbers);
      const auto fields      = take(of_elements, n_fields);
      response->restore({{fields.first, fields.second}, {numbers.first, numbers.second}});
    }
  const std::size_t n_of_adjoints = restore_adjoints(state, number);
  if (robust().enabled())
    {
      limit_.restore(number);
      const double n_values  = *number++;
      const auto values      = take(number, n_values);
      blueprint_constraints_ = {values.first, values.second};
      restore_displacements(state, n_of_adjoints);
    }
  update_->restore({{of_elements, state.element_fields.end()}, {number, state.numbers.cend()}});
  promised_ = false; // The promise is not part of the state.
  if (!history_.empty())
    {
      moves_.halve({history_.begin(), history_.end() - 1});
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
                                    context.problem,
                                    context.map,
                                    context.settings);
    },
    [](const MeshSize &size, double) { return Simp::memory_estimate(size.n_elements); }};
  entry.solves_any_problem = true;
  entry.makes_grey         = true;
  entry.counts_void        = true;
  return entry;
}
} // namespace strut
