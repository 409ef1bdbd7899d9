// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The fields of a robust design, and what they do not go together with: a part of OptimizationParameters.
#include "plugin/deck/run/robust_parameters.h"

#include <deal.II/base/patterns.h>

#include <strut/base/exceptions.h>

#include "plugin/deck/run/run_parameters.h"

namespace strut::plugin
{
RobustFields OptimizationParameters::robust_fields() const
{
  const auto robust = settings_from<RobustFields>(values_of(robust_values_, robust_section));
  if (!robust.are_there())
    return robust;
  const auto refuse = [](const std::string &entry, const std::string &text) {
    throw EntryError({"Optimization", subsection_of(robust_section)}, entry, text);
  };
  const std::string without = "\nOr leave 'Robust / Fields' out.";
  if (!find_design_method(method).solves_any_problem)
    refuse(
      "Fields",
      "The method '" + method +
        "' has no densities between void and solid that a threshold could move.\n'set Method = simp'." +
        without);
  if (maps().empty() || maps().back() != "projection")
    refuse("Fields",
           "The fields differ by the threshold of a projection, and here " +
             (maps().empty()
                ? "densities are the design variables" +
                    std::string(sensitivity_radius() > 0. ? ", with the filter 'sensitivity'" : "")
                : "the last map is '" + maps().back() + "'") +
             ".\n'set Filter = projection', or 'Maps' with 'projection' at their end." + without);
  const ParameterValues of_projection = values_of(map_values_, "projection");
  const auto found                    = of_projection.find("Threshold");
  const double threshold = found == of_projection.end() ? 0.5 : std::stod(found->second.text());
  if (!(threshold - robust.distance > 0. && threshold + robust.distance < 1.))
    refuse(
      "Threshold distance",
      "The thresholds of the fields would be " +
        dealii::Patterns::Tools::to_string(threshold - robust.distance) + " and " +
        dealii::Patterns::Tools::to_string(threshold + robust.distance) +
        ": they must lie between 0 and 1.\nLower this distance, or set 'Projection / Threshold' nearer to 0.5.");
  if (robust.kind == RobustFields::Kind::eroded && (objective != "compliance" || maximises()))
    refuse("Fields",
           "The eroded field alone is the worst one for the compliance, and '" + objective +
             "' is " + (maximises() ? "maximised" : "minimised") +
             ".\n'set Fields = worst case' with 'set Update = mma'." + without);
  if (find_response(objective).only_minimised)
    refuse(
      "Fields",
      "The response '" + objective +
        "' has limits of one field, and here are several.\nTake the constraint 'von mises' in its place." +
        without);
  return robust;
}

std::size_t OptimizationParameters::n_displacement_sets() const
{
  const RobustFields::Kind kind = robust_fields().kind;
  return kind == RobustFields::Kind::worst_case ? 3 : kind == RobustFields::Kind::eroded ? 2 : 1;
}
} // namespace strut::plugin
