// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/registry.h>

#include <map>
#include <string>
#include <vector>

namespace strut
{
/// An entry of the deck that a filter, a preconditioner or an objective has of its own: a number, or one of
/// some names.
struct Parameter
{
  std::string name;
  std::string documentation;
  double default_value = 0;
  double least         = 0; ///< the least allowed value
  double most          = 0;
  bool is_integer      = false;
  /// If not empty, the deck has one of these names, and the value is its position.
  std::vector<std::string> choices = {};
};

/// Values of parameters, by their names.
using ParameterValues = std::map<std::string, double>;

/// The values with the defaults of those parameters that have none. Throws Error if a value belongs to no
/// parameter.
/// @param whose  "The filter 'a'", as in "The filter 'a' has no parameter 'b'."
inline ParameterValues
complete(ParameterValues values, const std::vector<Parameter> &parameters, const std::string &whose)
{
  for (const Parameter &parameter : parameters)
    values.emplace(parameter.name, parameter.default_value);
  if (values.size() != parameters.size())
    throw Error(whose + " has " + std::to_string(parameters.size()) + " parameters" +
                (parameters.empty() ? "" : ": ") + names_in(parameters) +
                "; there are values of others.");
  return values;
}
} // namespace strut
