// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/region.h>

namespace strut::plugin
{
/// Elements that the optimizer may not change: `Non-design regions / <name>` in the deck.
class NonDesignRegion : public dealii::ParameterAcceptor
{
public:
  explicit NonDesignRegion(const std::string &name)
    : dealii::ParameterAcceptor("/Non-design regions/" + name), name(name)
  {
    region.declare(*this, path());
    add_parameter("Density",
                  density_,
                  "solid: density 1 throughout; void: the minimum density throughout.",
                  prm,
                  dealii::Patterns::Selection("solid|void"));
  }

  const std::string name;
  Region region;

  bool is_solid() const
  {
    return density_ == "solid";
  }
  std::vector<std::string> path() const
  {
    return {"Non-design regions", name};
  }

private:
  std::string density_ = "solid";
};
} // namespace strut::plugin
