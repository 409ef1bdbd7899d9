// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The density fields of a design that Simp analyses: one, or those of RobustFields.
#include "source/base/packed_values.h"
#include "source/mesh/prescribed_displacements.h"
#include "source/optimization/simp.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// The number of a field's set of displacements.
std::size_t set_of(const RobustFields::Field field)
{
  return static_cast<std::size_t>(field);
}
} // namespace

void Simp::check_fields(const ElementMesh &mesh) const
{
  if (!map_.can_shift(robust().shift(Field::eroded)) ||
      !map_.can_shift(robust().shift(Field::dilated)))
    throw Error(
      "A robust design has fields that differ by the threshold of the last map between design variables and "
      "densities, and here that has none. Let the last map be a projection.");
  if (robust().kind != RobustFields::Kind::eroded)
    return;
  const std::string remedy = " Analyse the worst case of the fields.";
  if (functions_.problem().objective.name != "compliance" || functions_.problem().maximises ||
      !functions_.problem().constraints.empty())
    throw Error(
      "The eroded field alone is the worst one for the compliance under a limit on the volume, and the problem "
      "has another objective or more constraints." +
      remedy);
  for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
    if (state_.load_case(l).follows_design())
      throw Error("The load case '" + state_.load_case(l).name +
                  "' has loads that follow the design: the eroded field need not be "
                  "the worst one." +
                  remedy);
  if (communicator_.any(prescribes_displacements(mesh)))
    throw Error(
      "Displacements are prescribed, and a part that is less stiff takes less force for them: the eroded "
      "field need not be the worst one." +
      remedy);
}

std::vector<Simp::DesignField>
Simp::make_fields(Memory &memory, const RobustFields &robust, const std::size_t n_mapped)
{
  std::vector<DesignField> fields;
  for (const Field name : {Field::eroded, Field::blueprint, Field::dilated})
    if (name == Field::blueprint || robust.enabled())
      fields.push_back({name, robust.shift(name), Array<double>(memory, n_mapped)});
  return fields;
}

const Simp::DesignField &Simp::field(const Field name) const
{
  return *std::find_if(fields_.begin(), fields_.end(), [name](const DesignField &field) {
    return field.name == name;
  });
}

std::vector<Simp::Evaluated> Simp::analysed() const
{
  std::vector<Evaluated> all;
  for (const Field name : robust().analysed())
    all.push_back({densities_of(field(name)), name, name});
  return all;
}

void Simp::map_design(const unsigned int iteration)
{
  if (map_.empty())
    return;
  const TimingTable::Scope scope(timing_, "filter", &backend_);
  map_.forward(design_, fields_.front().densities, {iteration, fields_.front().shift});
  for (std::size_t i = 1; i < fields_.size(); ++i)
    map_.forward_last(design_, fields_[i].densities, {iteration, fields_[i].shift});
}

void Simp::select(const Array<double> &densities, const Field field, Array<double> &work)
{
  {
    const TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    backend_.design_operations().interpolate(settings_.interpolation, densities, work);
  }
  selected_ = field;
  state_.select_displacements(set_of(field));
  state_.set_stiffness(work);
  state_.set_densities(densities);
}

void Simp::evaluate(const std::vector<Evaluated> &fields,
                    const SolveTo solve_to,
                    const Wanted wanted,
                    Array<double> &work,
                    IterationRecord &record)
{
  const bool has_values            = wanted != Wanted::nothing;
  Array<double> *const derivatives = wanted == Wanted::derivatives ? &work : nullptr;
  if (derivatives != nullptr)
    functions_.begin();
  else if (has_values)
    functions_.begin_values();
  double residual = 0.;
  std::vector<std::vector<double>> cases; // Objectives of the load cases for each field.
  try
    {
      for (const Evaluated &field : fields)
        {
          select(field.densities, field.field, work);
          if (has_values && wanted != Wanted::values_of_trial)
            functions_.begin_field(field.of_functions);
          const AnalysedDesign analysed{field.densities, settings_.interpolation, state_};
          solve_load_cases(state_, solve_to, record, [&](const std::size_t l, const auto &count) {
            if (has_values)
              functions_.evaluate(analysed, l, derivatives, record, count);
          });
          if (has_values)
            functions_.finish(analysed, derivatives, record);
          residual = std::max(residual, record.residual);
          cases.push_back(record.case_objectives);
        }
    }
  catch (const SolverFailure &)
    {
      state_.select_displacements(set_of(Field::blueprint));
      throw;
    }
  state_.select_displacements(set_of(Field::blueprint));
  if (!has_values)
    return;
  record.residual  = residual;
  record.objective = functions_.objective();
  // The load cases of the worst field add up to the objective.
  for (std::size_t i = fields.size(); i-- > 0;)
    if (functions_.objective(fields[i].of_functions) == record.objective)
      record.case_objectives = cases[i];
}

void Simp::prepare_results(const bool is_last)
{
  if (history_.empty() || robust().analyses_blueprint())
    return;
  const std::vector<DesignConstraint> &constraints = functions_.problem().constraints;
  const bool checks                                = is_last && !constraints.empty();
  // The functions of this field take the values of the blueprint.
  const Field stand_in = robust().analysed().back();
  DesignState kept; // Includes modes, with which the next design begins.
  if (checks)
    add_adjoints(kept);
  IterationRecord record; // These solves count for no design.
  evaluate({{densities_of(field(Field::blueprint)), Field::blueprint, stand_in}},
           SolveTo::tolerance,
           checks ? Wanted::values : Wanted::nothing,
           free_array(),
           record);
  if (!checks)
    return;
  auto number = kept.numbers.cbegin();
  restore_adjoints(kept, number);
  blueprint_constraints_ = functions_.constraint_values(stand_in);
  if (std::optional<DesignFieldRecord> &blueprint = field(Field::blueprint).record)
    {
      blueprint->constraints.clear();
      for (std::size_t i = 0; i < constraints.size(); ++i)
        blueprint->constraints.emplace_back(constraints[i].function.name,
                                            blueprint_constraints_[i]);
    }
}

void Simp::measure_volumes()
{
  for (DesignField &field : fields_)
    {
      field.material = volume_.material(backend_, communicator_, volumes_, densities_of(field));
      field.record   = DesignFieldRecord{RobustFields::name_of(field.name),
                                       std::nullopt,
                                       volume_.fraction(field.material)};
    }
  record_objectives();
}

void Simp::renew_volume_limit(const IterationRecord &record)
{
  std::optional<VolumeLimit::Volumes> fractions_before;
  if (!history_.empty())
    {
      // The volumes of the eroded and the dilated field follow the objectives of the fields.
      const std::size_t dilated =
        first_of_update + update_->columns().size() + robust().analysed().size() + 1;
      fractions_before = {history_.back().volume_fraction, history_.back().values[dilated]};
    }
  const bool is_due = (record.iteration - 1) % robust().iterations_per_limit == 0 ||
                      map_.unchanged_since(record.iteration) == record.iteration;
  limit_.renew({field(Field::blueprint).material, limited().material},
               fractions_before,
               is_due,
               map_.is_settled(record.iteration));
}

void Simp::record_objectives()
{
  for (const Field name : robust().analysed())
    if (std::optional<DesignFieldRecord> &record = field(name).record)
      record->objective = functions_.objective(name);
}

std::vector<double> Simp::objectives_of_fields() const
{
  std::vector<double> objectives;
  for (const Field name : robust().analysed())
    if (robust().enabled())
      objectives.push_back(functions_.objective(name));
  return objectives;
}

double Simp::missed_volume() const
{
  if (!robust().enabled() || !functions_.problem().limits_volume || history_.empty())
    return 0.;
  return limit_.missed(history_.back().volume_fraction, update_->fills_volume());
}

std::vector<DesignFieldRecord> Simp::fields() const
{
  std::vector<DesignFieldRecord> records;
  for (const DesignField &field : fields_)
    if (robust().enabled() && field.record)
      records.push_back(*field.record);
  return records;
}

std::vector<double> Simp::field_densities(const std::size_t i) const
{
  return densities_of(fields_[i]).to_host();
}

void Simp::add_displacements(DesignState &state) const
{
  for (const Field field : robust().analysed())
    if (field != Field::blueprint)
      {
        state_.select_displacements(set_of(field));
        for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
          {
            state.vectors.push_back(state_.displacement(l));
            if (state_.extrapolates())
              state.packed.push_back(state_.displacement_before(l));
          }
      }
  state_.select_displacements(set_of(Field::blueprint));
}

void Simp::restore_displacements(const DesignState &state, std::size_t next)
{
  // Solves that do not extrapolate store no earlier displacements in a checkpoint; the others then
  // begin without them.
  auto before = state.packed.begin();
  for (const Field field : robust().analysed())
    if (field != Field::blueprint)
      {
        state_.select_displacements(set_of(field));
        for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
          state_.set_displacement(l,
                                  state.vectors.at(next++),
                                  before == state.packed.end() ? PackedValues() : *before++);
      }
  state_.select_displacements(set_of(Field::blueprint));
}

void Simp::add_adjoints(DesignState &state) const
{
  const std::vector<std::size_t> adjoints = state_.adjoints();
  state.numbers.push_back(static_cast<double>(adjoints.size()));
  for (const std::size_t adjoint : adjoints)
    {
      state.numbers.push_back(static_cast<double>(adjoint));
      state.vectors.push_back(state_.adjoint(adjoint));
    }
}

std::size_t Simp::restore_adjoints(const DesignState &state,
                                   std::vector<double>::const_iterator &numbers)
{
  const auto n_adjoints = static_cast<std::size_t>(*numbers++);
  for (std::size_t i = 0; i < n_adjoints; ++i)
    state_.set_adjoint(static_cast<std::size_t>(*numbers++), state.vectors.at(i));
  return n_adjoints;
}
} // namespace strut
