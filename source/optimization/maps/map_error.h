// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/mesh/frame.h"

#include <strut/base/exceptions.h>

#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// An Error about a map, and about the parameter that causes it, if there is one. Front ends know
/// where the parameter was set.
class MapError : public Error
{
public:
  /// Make the error.
  /// @param the_map  name of the map; empty if make_design_map() fills it in
  MapError(std::string the_map, std::string the_parameter, const std::string &the_reason)
    : Error(the_reason), map(std::move(the_map)), parameter(std::move(the_parameter))
  {}

  std::string map, parameter;
};

/// Returns the value of an expression about a parameter of a map. An Error in it becomes a
/// MapError.
template <typename Take>
auto of_parameter(const std::string &parameter, const Take &take)
{
  try
    {
      return take();
    }
  catch (const Error &error)
    {
      throw MapError("", parameter, error.reason);
    }
}

/// Returns unit_vector() of a parameter of a map.
inline std::array<double, 3> unit_vector_of(const std::string &parameter,
                                            const std::vector<double> &numbers,
                                            const std::string &whose)
{
  return of_parameter(parameter, [&]() { return unit_vector(numbers, whose); });
}
} // namespace strut
