// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/region.h>

#include <array>
#include <string>
#include <vector>

namespace strut
{
/// Springs from the nodes of a region to the ground: the subsection `Springs / <name>` of the deck.
/// They model the workpiece of a mechanism, for example.
class Spring : public dealii::ParameterAcceptor
{
public:
  explicit Spring(const std::string &name);

  const std::string name;
  Region region;

  /// Stiffness along x, y, z: force per displacement of the whole region. Throws EntryError for
  /// invalid values.
  std::array<double, 3> stiffness() const;

  /// Returns a text such as "stiffness (1, 0, 0)".
  std::string describe() const;

  std::vector<std::string> path() const
  {
    return {"Springs", name};
  }

private:
  std::vector<double> stiffness_ = {0., 0., 0.};
};
} // namespace strut
