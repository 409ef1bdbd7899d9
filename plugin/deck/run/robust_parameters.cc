// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Members of OptimizationParameters for the fields of a robust design, and checks that other
// entries allow them.
#include "plugin/deck/run/robust_parameters.h"

#include <deal.II/base/patterns.h>

#include <strut/base/exceptions.h>

#include "plugin/deck/run/run_parameters.h"

namespace strut
{
RobustFields OptimizationParameters::robust_fields() const
{
  const auto robust = settings_from<RobustFields>(values_of(robust_values_, robust_section));
  const auto refuse = [](const std::string &entry, const std::string &text) {
    throw EntryError({"Optimization", subsection_of(robust_section)}, entry, text);
  };
  if (!robust.enabled())
    {
      const RobustFields defaults;
      for (const auto &[entry, differs] :
           {std::make_pair("Threshold distance", robust.distance != defaults.distance),
            std::make_pair("Iterations per volume limit",
                           robust.iterations_per_limit != defaults.iterations_per_limit)})
        if (differs)
          refuse(
            entry,
            "It belongs to the fields of a robust design, and with 'Fields = none' there are none.\n'set Fields = "
            "worst case', or leave this entry out.");
      return robust;
    }
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

void OptimizationParameters::check_fields(const std::vector<LoadCase> &load_cases,
                                          const bool prescribes_displacements) const
{
  if (robust_fields().kind != RobustFields::Kind::eroded)
    return;
  const auto refuse = [](const std::string &reason) {
    throw EntryError(
      {"Optimization", subsection_of(robust_section)},
      "Fields",
      reason +
        ": the eroded field need not be the worst one.\n'set Fields = worst case' with 'set Update = mma'.");
  };
  for (const LoadCase &load_case : load_cases)
    if (load_case.has_weight)
      refuse("The load case '" + load_case.name +
             "' has self weight, which falls as material goes");
  if (prescribes_displacements)
    refuse("Displacements are prescribed, and a part that is less stiff takes less force for them");
}

std::size_t OptimizationParameters::n_displacement_sets() const
{
  return 1 + robust_fields().n_analysed_shifted(); // displacements of the blueprint are in results
}
} // namespace strut
