// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strut
{
/// Linear elasticity of any solid: stress = C strain, in the axes of the mesh, force per area. Voigt's notation: entries xx, yy, zz,
/// yz, xz, xy; shear strains are the sums `du_i/dx_j + du_j/dx_i`. Symmetric, positive definite.
struct ElasticityMatrix
{
  double C[6][6] = {};
};

/// Orthotropic solid, in its own axes 1, 2, 3: `strain_1 = stress_1 / E_1 - nu_12 stress_2 / E_1 - ...`, so that
/// `nu_ij / E_i = nu_ji / E_j`.
struct OrthotropicSolid
{
  std::array<double, 3> youngs_moduli = {}; ///< E_1, E_2, E_3
  std::array<double, 3> poisson_ratios =
    {}; ///< nu_12, nu_13, nu_23: contraction along the second under stress along the first
  std::array<double, 3> shear_moduli = {}; ///< G_12, G_13, G_23
  /// Unit vectors along 1, 2, 3, in the axes of the mesh: orthogonal.
  std::array<std::array<double, 3>, 3> axes = {{{{1., 0., 0.}}, {{0., 1., 0.}}, {{0., 0., 1.}}}};
};

ElasticityMatrix elasticity_matrix(const Material &material);

/// @return nothing if some deformation would cost no energy, or less.
std::optional<ElasticityMatrix> elasticity_matrix(const OrthotropicSolid &solid);

/// Shear modulus of the isotropic solid that is nearest to it, by Voigt's mean over all directions.
double mean_shear_modulus(const ElasticityMatrix &solid);

/// Solids of elements, of which some are not isotropic.
struct AnisotropicSolids
{
  std::vector<ElasticityMatrix> matrices;
  std::vector<std::uint32_t> of_element; ///< which of them, `[n_elements]`; empty: there are none

  bool empty() const
  {
    return of_element.empty();
  }
  const ElasticityMatrix &of(const std::size_t element) const
  {
    return matrices[of_element[element]];
  }
};
} // namespace strut
