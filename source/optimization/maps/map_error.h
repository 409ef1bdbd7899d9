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
/// An Error about a map, and about one of its parameters if that is the cause: front ends know
/// where that was set.
class MapError : public Error
{
public:
  /// @param the_map  empty: make_design_map() knows it
  MapError(std::string the_map, std::string the_parameter, const std::string &the_reason)
    : Error(the_reason), map(std::move(the_map)), parameter(std::move(the_parameter))
  {}

  std::string map, parameter;
};

/// The value of an expression about a parameter of a map, whose Error becomes a MapError.
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

/// unit_vector() of a parameter of a map.
inline std::array<double, 3> unit_vector_of(const std::string &parameter,
                                            const std::vector<double> &numbers,
                                            const std::string &whose)
{
  return of_parameter(parameter, [&]() { return unit_vector(numbers, whose); });
}
} // namespace strut
