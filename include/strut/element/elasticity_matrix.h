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
/// Linear elasticity of any solid: stress = C strain, in the axes of the mesh, force per area. C is
/// symmetric and positive definite. Voigt's notation has the entries xx, yy, zz, yz, xz, xy; shear
/// strains are the sums `du_i/dx_j + du_j/dx_i`.
struct ElasticityMatrix
{
  double C[6][6] = {};
};

/// Orthotropic solid in its own axes 1, 2, 3:
/// `strain_1 = stress_1 / E_1 - nu_12 stress_2 / E_1 - ...`, so that `nu_ij / E_i = nu_ji / E_j`.
struct OrthotropicSolid
{
  std::array<double, 3> youngs_moduli = {}; ///< E_1, E_2, E_3
  std::array<double, 3> poisson_ratios =
    {}; ///< nu_12, nu_13, nu_23: contraction along the second under stress along the first
  std::array<double, 3> shear_moduli = {}; ///< G_12, G_13, G_23
  /// Unit vectors along 1, 2, 3, in the axes of the mesh; they must be orthogonal.
  std::array<std::array<double, 3>, 3> axes = {{{{1., 0., 0.}}, {{0., 1., 0.}}, {{0., 0., 1.}}}};
};

ElasticityMatrix elasticity_matrix(const Material &material);

/// The matrix of an orthotropic solid.
///
/// @return nothing if some deformation has zero or negative energy
std::optional<ElasticityMatrix> elasticity_matrix(const OrthotropicSolid &solid);

/// Shear modulus of the nearest isotropic solid, by Voigt's mean over all directions.
double mean_shear_modulus(const ElasticityMatrix &solid);

/// Solids of elements, some of them anisotropic.
struct AnisotropicSolids
{
  std::vector<ElasticityMatrix> matrices;
  /// Index of each element's matrix, `[n_elements]`; empty: there are none.
  std::vector<std::uint32_t> of_element;

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
