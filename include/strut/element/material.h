// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// Integration of the volumetric part of the stiffness (the lambda term) over an element.
enum class VolumetricIntegration
{
  full, ///< full Gauss quadrature. Hexahedra lock as nu approaches 0.5: they get too stiff
  /// `lambda mean(div u) mean(div v)` with the mean over the element; the term `2 mu e(u) : e(v)`
  /// is unchanged. It does not lock. This is the mixed element of trilinear u and constant pressure
  /// (Malkus and Hughes 1978). It is not the B-bar method, which puts the mean into the strain, and
  /// so into the mu term, too.
  mean
};

/// The displacement space of a hexahedron.
enum class ElementKind
{
  trilinear, ///< nodal displacements only. The element is far too stiff in bending
  /// Three quadratic modes `1 - xi_d^2` of each component are added to the nodal displacements, and
  /// eliminated from the element (Wilson et al. 1973). The gradients are those of Taylor, Beresford
  /// and Wilson (1976), which pass the patch test. A parallelepiped has the right bending
  /// stiffness.
  incompatible_modes
};

/// Isotropic linear elasticity.
struct Material
{
  double youngs_modulus                        = 1.;  ///< E, force per area
  double poisson_ratio                         = 0.3; ///< nu, in (-1, 0.5)
  VolumetricIntegration volumetric_integration = VolumetricIntegration::full;
  /// Must be trilinear with VolumetricIntegration::mean.
  ElementKind element = ElementKind::trilinear;

  /// @param lambda,mu  Lame's parameters, as step-8 of deal.II has them
  static constexpr Material from_lame(const double lambda, const double mu)
  {
    return {mu * (3. * lambda + 2. * mu) / (lambda + mu), lambda / (2. * (lambda + mu))};
  }

  /// The volumetric and deviatoric parts of unit size. Any material is
  /// `lambda volumetric + mu deviatoric`. The volumetric part has lambda = 1 and mu = 0. It is
  /// written as nu = 0.5, which is no material of its own. The deviatoric part has lambda = 0 and
  /// mu = 1.
  static constexpr Material volumetric()
  {
    return {1., 0.5};
  }
  static constexpr Material deviatoric()
  {
    return {2., 0.};
  }

  STRUT_HOST_DEVICE bool has_mean_dilatation() const
  {
    return volumetric_integration == VolumetricIntegration::mean;
  }

  STRUT_HOST_DEVICE bool has_incompatible_modes() const
  {
    return element == ElementKind::incompatible_modes;
  }

  /// First Lame parameter at the quadrature points; 0 if the element mean is used instead.
  STRUT_HOST_DEVICE double pointwise_lambda() const
  {
    return has_mean_dilatation() ? 0. : lambda();
  }

  /// First Lame parameter.
  STRUT_HOST_DEVICE double lambda() const
  {
    if (poisson_ratio == 0.5)
      return youngs_modulus;
    return youngs_modulus * poisson_ratio / ((1. + poisson_ratio) * (1. - 2. * poisson_ratio));
  }

  /// Shear modulus.
  STRUT_HOST_DEVICE double mu() const
  {
    if (poisson_ratio == 0.5)
      return 0.;
    return youngs_modulus / (2. * (1. + poisson_ratio));
  }
};
} // namespace strut
