// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The problem as the update of Simp sees it: values, sizes and derivatives of the functions, and
// trials.
#include "source/base/packed_values.h"
#include "source/optimization/short_text.h"
#include "source/optimization/simp.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strut
{
void Simp::set_sizes()
{
  if (!sizes_.empty())
    return;
  for (const DesignFunctions::Row &row : functions_.rows())
    sizes_.push_back(std::abs(row.limit != 0. ? row.limit : row.value));
  // The members of a worst case are compared with each other, so they share one size.
  const auto end = sizes_.begin() + static_cast<std::ptrdiff_t>(functions_.n_objective_rows());
  std::fill(sizes_.begin(), end, *std::max_element(sizes_.begin(), end));
  std::replace_if(
    sizes_.begin(), sizes_.end(), [](const double size) { return !(size > 0.); }, 1.);
}

double Simp::move_limit(const std::vector<double> &constraints)
{
  const std::vector<DesignConstraint> &limits = functions_.problem().constraints;
  std::vector<std::vector<double>> excesses;
  const auto add = [&](const auto begin) {
    excesses.emplace_back();
    for (std::size_t i = 0; i < limits.size(); ++i)
      excesses.back().push_back((limits[i].at_least ? -1. : 1.) *
                                (*(begin + static_cast<std::ptrdiff_t>(i)) - limits[i].limit) /
                                size_of(limits[i]));
  };
  for (const IterationRecord &record : history_)
    add(record.values.end() - static_cast<std::ptrdiff_t>(limits.size()));
  add(constraints.begin());
  const MoveLimits::Cut cut = moves_.next(excesses);
  if (cut.broken >= 0)
    warn("the constraint '" + limits[static_cast<std::size_t>(cut.broken)].function.name +
         "' is broken, and gets worse: from now on densities move by at most " +
         short_text(cut.move_limit));
  return cut.move_limit;
}

std::vector<double> Simp::values_of_functions(const double shift, const double material) const
{
  std::vector<double> values;
  if (functions_.has_worst_objective())
    values.push_back(0.);
  for (const DesignFunctions::Row &row : functions_.rows())
    values.push_back(row.sign * (row.value - row.limit) + (row.is_worst_objective ? shift : 0.));
  if (functions_.problem().limits_volume)
    values.push_back(material - limit_.constraint().target);
  return values;
}

DesignPoint Simp::point(IterationRecord &record)
{
  set_sizes();
  const bool has_worst = functions_.has_worst_objective();
  // The bound of a worst case is positive. Members that are not positive are shifted by the same
  // number, so far that a step does not reach 0.
  double shift       = 0.;
  const double worst = functions_.rows().front().sign * functions_.objective();
  if (has_worst && !(worst > 0.1 * sizes_.front()))
    shift = 10. * std::max(sizes_.front(), std::abs(worst)) - worst;
  if (has_worst && no_derivative_.size() != n_elements_)
    {
      no_derivative_ = Array<double>(backend_.memory(), n_elements_);
      no_derivative_.set_zero();
    }

  const std::vector<double> values = values_of_functions(shift, limited().material);
  DesignPoint point{design_, densities_of(field(Field::blueprint)), {0., 1., &no_derivative_}};
  std::size_t i = has_worst ? 1 : 0;
  for (const DesignFunctions::Row &row : functions_.rows())
    {
      const std::size_t number = i++;
      const DesignPoint::Function function{values[number],
                                           sizes_[number - (has_worst ? 1 : 0)],
                                           &row.derivative,
                                           row.is_worst_objective ? 1. : 0.};
      if (number == 0)
        point.objective = function;
      else
        point.constraints.push_back(function);
    }
  if (functions_.problem().limits_volume)
    point.constraints.push_back({values.back(),
                                 limit_.constraint().target,
                                 map_.empty() ? &volumes_.each() : &volume_sensitivities_});
  if (!history_.empty())
    {
      const std::vector<double> &of_last = history_.back().values;
      const auto begin                   = of_last.begin() + first_of_update;
      point.last.assign(begin, begin + static_cast<std::ptrdiff_t>(update_->columns().size()));
    }
  point.accuracy = std::min(10. * record.residual, 1e-3);
  point.evaluate = [this, shift, &record](const Array<double> &trial) {
    return analyse_trial(trial, shift, record);
  };
  // The volume of the next design depends on the maps of its iteration.
  point.maps_of_next = {record.iteration + 1, limited().shift};
  return point;
}

std::vector<double>
Simp::analyse_trial(const Array<double> &trial, const double shift, IterationRecord &of_design)
{
  Array<double> densities(backend_.memory(), map_.empty() ? 0 : n_elements_);
  if (!map_.empty()) // Values and derivatives are those of the maps of this iteration.
    map_.forward(trial, densities, {of_design.iteration});
  const Array<double> &of_trial = map_.empty() ? trial : densities;
  Array<double> stiffness(backend_.memory(), n_elements_);

  // Results show the displacements of the analysed design.
  std::vector<std::vector<double>> displacements;
  std::vector<PackedValues> before;
  for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
    {
      displacements.push_back(state_.displacement(l));
      before.push_back(state_.displacement_before(l));
    }
  const auto set_back = [&]() {
    select(densities_of(field(Field::blueprint)), Field::blueprint, stiffness);
    for (std::size_t l = 0; l < state_.n_load_cases(); ++l)
      state_.set_displacement(l, displacements[l], before[l]);
  };
  IterationRecord record;
  try
    {
      evaluate({{of_trial, Field::blueprint, Field::blueprint}},
               SolveTo::tolerance_or_limit,
               Wanted::values_of_trial,
               stiffness,
               record);
    }
  catch (const SolverFailure &) // A design that cannot be analysed is no better than any other.
    {
      of_design.solver_iterations += record.solver_iterations;
      state_.begin_again(); // Continue with the preconditioner of the deck.
      set_back();
      return std::vector<double>(values_of_functions(shift, 0.).size(),
                                 std::numeric_limits<double>::infinity());
    }
  set_back();
  of_design.solver_iterations += record.solver_iterations;
  of_design.n_solves += record.n_solves;
  return values_of_functions(shift, volume_.material(backend_, communicator_, volumes_, of_trial));
}
} // namespace strut
