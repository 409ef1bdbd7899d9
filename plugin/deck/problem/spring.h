// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/region.h>

#include <array>
#include <string>
#include <vector>

namespace strut::plugin
{
/// Springs from the nodes of a region to the ground: `Springs / <name>` in the deck. What a mechanism works against.
class Spring : public dealii::ParameterAcceptor
{
public:
  explicit Spring(const std::string &name);

  const std::string name;
  Region region;

  /// Along x, y, z: force per displacement of the region as a whole. Throws EntryError for what is no stiffness.
  std::array<double, 3> stiffness() const;

  /// "stiffness (1, 0, 0)".
  std::string describe() const;

  std::vector<std::string> path() const
  {
    return {"Springs", name};
  }

private:
  std::vector<double> stiffness_ = {0., 0., 0.};
};
} // namespace strut::plugin
