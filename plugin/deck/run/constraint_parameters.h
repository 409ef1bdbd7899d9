// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>

#include <string>
#include <vector>

#include "plugin/deck/parameters/named_choice.h"
#include "source/optimization/problem/optimization_problem.h"

namespace strut
{
/// Returns the responses that may be limited or maximised.
std::vector<ResponseEntry> responses_with_a_value();

/// A limit of a response: `Constraints / <name>` in the deck.
class ConstraintParameters : public dealii::ParameterAcceptor
{
public:
  explicit ConstraintParameters(const std::string &name);

  const std::string name;
  std::string response = "displacement";

  /// Returns the constraint without its response, and with the number of load cases only. Throws
  /// EntryError for values that make no sense.
  DesignConstraint get() const;

  /// Returns the constraint with its response.
  /// @param context  everything except the values
  /// @param load_cases  names in order; throws EntryError if the deck names others
  DesignConstraint make(const ResponseContext &context,
                        const std::vector<std::string> &load_cases) const;

  /// Entries of the response that the deck has set.
  ParameterValues response_values() const;

  /// Returns a text such as "tip: displacement <= 0.5".
  std::string describe() const;

  std::vector<std::string> path() const
  {
    return {"Constraints", name};
  }
  /// Path of the subsection with the entries of the response.
  std::vector<std::string> response_path() const
  {
    return {"Constraints", name, subsection_of(response)};
  }

private:
  std::string at_most_, at_least_; ///< empty: not set
  std::vector<std::string> load_cases_;
  DesignFunction::Over over_ = DesignFunction::Over::worst;
  ValuesOfNames values_;
};

/// The words of DesignFunction::Over in decks.
inline std::vector<std::pair<std::string, DesignFunction::Over>> over_words()
{
  return {{"sum", DesignFunction::Over::sum}, {"worst", DesignFunction::Over::worst}};
}
} // namespace strut
