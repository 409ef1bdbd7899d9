// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

#include <type_traits>

namespace strut
{
/// The formulation of a hexahedron: its displacement space, and how the volumetric part of its
/// stiffness (the lambda term) is integrated.
enum class Formulation
{
  /// Nodal displacements only, and full Gauss quadrature. Hexahedra lock as nu approaches 0.5: they
  /// get too stiff. They are far too stiff in bending.
  full_integration,
  /// `lambda mean(div u) mean(div v)` with the mean over the element; the term `2 mu e(u) : e(v)`
  /// is unchanged. It does not lock. This is the mixed element of trilinear u and constant pressure
  /// (Malkus and Hughes 1978). It is not the B-bar method, which puts the mean into the strain, and
  /// so into the mu term, too.
  mean_dilatation,
  /// Three quadratic modes `1 - xi_d^2` of each component are added to the nodal displacements, and
  /// eliminated from the element (Wilson et al. 1973). The gradients are those of Taylor, Beresford
  /// and Wilson (1976), which pass the patch test. A parallelepiped has the right bending
  /// stiffness.
  incompatible_modes
};

/// Calls body(std::integral_constant<Formulation, ...>) with the formulation.
#ifdef __CUDACC__
#  pragma nv_exec_check_disable
#endif
template <typename Body>
STRUT_HOST_DEVICE void with_formulation(const Formulation formulation, const Body &body)
{
  switch (formulation)
    {
      case Formulation::full_integration:
        return body(std::integral_constant<Formulation, Formulation::full_integration>());
      case Formulation::mean_dilatation:
        return body(std::integral_constant<Formulation, Formulation::mean_dilatation>());
      case Formulation::incompatible_modes:
        return body(std::integral_constant<Formulation, Formulation::incompatible_modes>());
    }
}

/// Isotropic linear elasticity.
struct Material
{
  double youngs_modulus   = 1.;  ///< E, force per area
  double poisson_ratio    = 0.3; ///< nu, in (-1, 0.5)
  Formulation formulation = Formulation::full_integration;

  /// @param lambda,mu  Lame's parameters, as step-8 of deal.II has them
  static constexpr Material from_lame(const double lambda,
                                      const double mu,
                                      const Formulation formulation = Formulation::full_integration)
  {
    return {mu * (3. * lambda + 2. * mu) / (lambda + mu),
            lambda / (2. * (lambda + mu)),
            formulation};
  }

  /// The volumetric and deviatoric parts of unit size. Any material is
  /// `lambda volumetric + mu deviatoric`. The volumetric part has lambda = 1 and mu = 0. It is
  /// written as nu = 0.5, which is no material of its own. The deviatoric part has lambda = 0 and
  /// mu = 1. Both are those of trilinear elements, the volumetric one with or without the mean
  /// dilatation of a formulation.
  static constexpr Material
  volumetric(const Formulation formulation = Formulation::full_integration)
  {
    constexpr Formulation of_trilinear[] = {Formulation::full_integration,
                                            Formulation::mean_dilatation,
                                            Formulation::full_integration};
    return {1., 0.5, of_trilinear[static_cast<int>(formulation)]};
  }
  static constexpr Material deviatoric()
  {
    return {2., 0.};
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
