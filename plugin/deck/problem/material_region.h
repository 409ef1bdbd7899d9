// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>

#include <strut/element/material.h>
#include <strut/plugin/region.h>

#include <string>
#include <vector>

namespace strut::plugin
{
/// Elements of another solid than that of `Material`: `Materials / <name>` in the deck. It differs in stiffness and mass
/// alone; one Poisson's ratio for all keeps one matrix, times a factor, for all elements of a shape.
class MaterialRegion : public dealii::ParameterAcceptor
{
public:
  explicit MaterialRegion(const std::string &name);

  const std::string name;
  Region region;

  /// Its Young's modulus, relative to that of `Material`. Throws EntryError for a value that is none, and for another
  /// Poisson's ratio.
  double stiffness_ratio(const Material &material) const;
  /// Its mass per volume, likewise.
  double mass_ratio() const;

  std::vector<std::string> path() const
  {
    return {"Materials", name};
  }

private:
  void require_poisson_ratio(const Material &material) const;

  double youngs_modulus_ = 0.; ///< 0: that of `Material`
  std::string poisson_ratio_;  ///< empty: likewise
  double mass_ratio_ = 1.;
};
} // namespace strut::plugin
