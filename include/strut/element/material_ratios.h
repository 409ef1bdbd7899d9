// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/elasticity_matrix.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// Stiffness and mass of the solid of each element, relative to a structure's Material. If all
/// solids have one Poisson's ratio, every element has the same stiffness matrix up to a factor:
///
///     E_e = s_e E(rho_e),   m_e = r_e m(rho_e)
///
/// with the factors E and m of a density for one solid. Where Poisson's ratios differ, an element
/// has two matrices, `E(rho_e) (lambda_e K_lambda,e + mu_e K_mu,e)`, with Lame's parameters of its
/// solid: Stiffness::times().
struct MaterialRatios
{
  std::vector<double> stiffness = {}; ///< s, `[n_elements]`, positive; empty: all are 1

  /// r, mass per volume, `[n_elements]`, positive; empty: all are 1.
  std::vector<double> mass = {};
  /// Poisson's ratios nu, `[n_elements]`, in (-1, 0.5); empty: all elements have that of the
  /// Material. If some rank has them, all ranks with elements have them.
  std::vector<double> poisson_ratio = {};
  /// The solids of all elements, in place of Material and nu, if some rank has an anisotropic
  /// solid. `stiffness` is then the ratio of mean_shear_modulus(), which preconditioners use.
  AnisotropicSolids anisotropic = {};

  bool empty() const
  {
    return stiffness.empty() && mass.empty() && poisson_ratio.empty() && anisotropic.empty();
  }
  double stiffness_of(const std::size_t element) const
  {
    return stiffness.empty() ? 1. : stiffness[element];
  }
  double mass_of(const std::size_t element) const
  {
    return mass.empty() ? 1. : mass[element];
  }

  /// Ratios of a structure with one solid everywhere.
  static const MaterialRatios &none()
  {
    static const MaterialRatios none;
    return none;
  }
};
} // namespace strut
