// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/spring.h"

#include <strut/base/exceptions.h>

#include <cmath>
#include <sstream>

namespace strut
{
Spring::Spring(const std::string &name) : dealii::ParameterAcceptor("/Springs/" + name), name(name)
{
  region.declare(*this, path());
  add_parameter(
    "Stiffness",
    stiffness_,
    "Along x, y, z: force per displacement of the region as a whole; its nodes get equal parts.");
}

std::array<double, 3> Spring::stiffness() const
{
  std::array<double, 3> result{};
  bool any = false, allowed = stiffness_.size() == 3;
  for (std::size_t c = 0; allowed && c < 3; ++c)
    {
      allowed   = stiffness_[c] >= 0. && std::isfinite(stiffness_[c]);
      any       = any || stiffness_[c] > 0.;
      result[c] = stiffness_[c];
    }
  if (!allowed || !any)
    throw EntryError(
      path(),
      "Stiffness",
      "A spring takes three numbers along x, y and z, from 0 on, and one of them above 0.");
  return result;
}

std::string Spring::describe() const
{
  const std::array<double, 3> k = stiffness();
  std::ostringstream text;
  text << "stiffness (" << k[0] << ", " << k[1] << ", " << k[2] << ')';
  return text.str();
}
} // namespace strut
