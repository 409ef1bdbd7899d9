// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/tensor.h>

#include <strut/element/elasticity_matrix.h>
#include <strut/region.h>

#include <optional>
#include <string>
#include <vector>

namespace strut
{
/// Elements of another solid than that of `Material`: the subsection `Materials / <name>` of the
/// deck.
class MaterialRegion : public dealii::ParameterAcceptor
{
public:
  explicit MaterialRegion(const std::string &name);

  const std::string name;
  Region region;

  /// Young's modulus relative to that of `Material`. Throws EntryError for invalid values.
  double stiffness_ratio(const Material &material) const;
  /// Poisson's ratio. Throws EntryError for invalid values. Also throws if it differs from that of
  /// `Material`, and the formulation of `Material` supports only a single one.
  double poisson_ratio(const Material &material) const;
  /// Elasticity of an orthotropic solid; none for other solids. Throws EntryError as above, and for
  /// entries that contradict each other.
  std::optional<ElasticityMatrix> elasticity(const Material &material) const;
  /// Mass per volume relative to `Material`. Throws EntryError for invalid values.
  double mass_ratio() const;

  std::vector<std::string> path() const
  {
    return {"Materials", name};
  }

private:
  double youngs_modulus_ = 0.; ///< 0: that of `Material`
  std::string poisson_ratio_;  ///< empty: that of `Material`
  double mass_ratio_ = 1.;
  std::vector<double> youngs_moduli_, poisson_ratios_,
    shear_moduli_; ///< moduli and ratios of an orthotropic solid; empty: it is isotropic
  dealii::Tensor<1, 3> first_axis_, second_axis_;
};
} // namespace strut
