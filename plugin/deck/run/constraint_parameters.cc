// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/constraint_parameters.h"
#include "source/base/registry.h"

#include <deal.II/base/patterns.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>

#include "plugin/base/spelling.h"
#include "plugin/deck/output/history.h"

namespace strut
{
std::vector<ResponseEntry> responses_with_a_value()
{
  std::vector<ResponseEntry> list;
  for (const ResponseEntry &entry : responses())
    if (!entry.only_minimised)
      list.push_back(entry);
  return list;
}

ConstraintParameters::ConstraintParameters(const std::string &name)
  : dealii::ParameterAcceptor("/Constraints/" + name), name(name)
{
  using namespace dealii::Patterns;
  add_parameter("Response",
                response,
                "What is limited. " + summaries_of(responses_with_a_value()) +
                  ". A response's own entries are in the subsection of its name.",
                prm,
                Selection(names_of(responses_with_a_value())));
  add_parameter("At most", at_most_, "Upper limit, a number. Either this or 'At least'.");
  add_parameter("At least", at_least_, "Lower limit, a number.");
  add_parameter("Load cases",
                load_cases_,
                "Names of the load cases that count; empty: all. Volume and mass know none.");
  add_choice<DesignFunction::Over>(
    *this,
    "Over load cases",
    over_,
    over_words(),
    "worst: the limit holds for each of them; sum: for the sum of weight times response.");
  add_parameters_of(*this, responses_with_a_value(), values_);
}

DesignConstraint ConstraintParameters::get() const
{
  if (at_most_.empty() == at_least_.empty())
    throw EntryError(
      path(),
      at_most_.empty() ? "" : "At least",
      at_most_.empty()
        ? "The constraint has no limit.\n'set At most = ...' or 'set At least = ...'."
        : "The constraint has an upper limit, too.\nMake two constraints of it.");
  DesignConstraint constraint;
  constraint.at_least     = at_most_.empty();
  const std::string &text = constraint.at_least ? at_least_ : at_most_;
  const std::string entry = constraint.at_least ? "At least" : "At most";
  std::size_t n_read      = 0;
  try
    {
      constraint.limit = std::stod(text, &n_read);
    }
  catch (const std::exception &)
    {}
  if (n_read != text.size() || !std::isfinite(constraint.limit))
    throw EntryError(path(), entry, "'" + text + "' is no number.");
  // These responses are sums of non-negative terms.
  const ResponseEntry &entry_of_response = find_response(response);
  if (!constraint.at_least && !(constraint.limit > 0.) &&
      (entry_of_response.takes_stresses || entry_of_response.is_amount ||
       entry_of_response.n_modes != nullptr || response == "displacement norm" ||
       response == "local volume"))
    throw EntryError(path(),
                     entry,
                     "The response '" + response +
                       "' is never negative, and 0 where nothing is left: no design of use keeps "
                       "this limit.\nGive it a positive one.");
  const std::string column = column_name(name);
  for (const char *const taken : {"iteration",
                                  "objective",
                                  "volume_fraction",
                                  "density_change",
                                  "multiplier",
                                  "kkt",
                                  "dual_passes",
                                  "trials",
                                  "solver_iterations",
                                  "residual",
                                  "seconds"})
    if (column == taken)
      throw EntryError(path(),
                       "",
                       "history.csv has a column '" + column +
                         "' of its own.\nGive the constraint another name.");
  constraint.function.name         = name;
  constraint.function.over         = over_;
  constraint.function.by_load_case = find_response(response).by_load_case;
  if (!constraint.function.by_load_case && !load_cases_.empty())
    throw EntryError(path(),
                     "Load cases",
                     "The response '" + response +
                       "' is the same for all load cases.\nLeave this entry out.");
  constraint.function.cases.resize(load_cases_.size());
  return constraint;
}

DesignConstraint ConstraintParameters::make(const ResponseContext &context,
                                            const std::vector<std::string> &load_cases) const
{
  DesignConstraint constraint = get();
  constraint.function.cases.clear();
  for (const std::string &wanted : load_cases_)
    {
      const auto found = std::find(load_cases.begin(), load_cases.end(), wanted);
      if (found == load_cases.end())
        throw EntryError(path(),
                         "Load cases",
                         "There is no load case '" + wanted + "'. Load cases: " + join(load_cases) +
                           '.');
      constraint.function.cases.push_back(static_cast<std::size_t>(found - load_cases.begin()));
    }
  std::vector<std::size_t> &cases = constraint.function.cases;
  std::sort(cases.begin(), cases.end());
  if (std::adjacent_find(cases.begin(), cases.end()) != cases.end())
    throw EntryError(path(), "Load cases", "A load case is named twice.");
  ResponseContext own          = context;
  own.values                   = response_values();
  constraint.function.response = make_response(response, own);
  return constraint;
}

ParameterValues ConstraintParameters::response_values() const
{
  return values_of(values_, response);
}

std::string ConstraintParameters::describe() const
{
  const DesignConstraint constraint = get();
  return name + ": " + response +
         (constraint.function.over == DesignFunction::Over::sum ? " summed over the load cases"
                                                                : "") +
         (constraint.at_least ? " >= " + at_least_ : " <= " + at_most_);
}
} // namespace strut
