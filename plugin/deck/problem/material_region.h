// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/tensor.h>

#include <strut/element/elasticity_matrix.h>
#include <strut/plugin/region.h>

#include <optional>
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
  /// If it is orthotropic: its elasticity. Throws EntryError as above, and for entries that do not go together.
  std::optional<ElasticityMatrix> elasticity(const Material &material) const;
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
  std::vector<double> youngs_moduli_, poisson_ratios_,
    shear_moduli_; ///< of an orthotropic solid; empty: it is isotropic
  dealii::Tensor<1, 3> first_axis_, second_axis_;
};
} // namespace strut::plugin
