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
/// Elements of another solid than that of `Material`: `Materials / <name>` in the deck.
class MaterialRegion : public dealii::ParameterAcceptor
{
public:
  explicit MaterialRegion(const std::string &name);

  const std::string name;
  Region region;

  /// Its Young's modulus, relative to that of `Material`. Throws EntryError for a value that is none.
  double stiffness_ratio(const Material &material) const;
  /// Its Poisson's ratio. Throws EntryError for a value that is none, and for another one than that of `Material` where
  /// that has elements which know one alone.
  double poisson_ratio(const Material &material) const;
  /// Its mass per volume, likewise.
  double mass_ratio() const;

  std::vector<std::string> path() const
  {
    return {"Materials", name};
  }

private:
  double youngs_modulus_ = 0.; ///< 0: that of `Material`
  std::string poisson_ratio_;  ///< empty: likewise
  double mass_ratio_ = 1.;
};
} // namespace strut::plugin
