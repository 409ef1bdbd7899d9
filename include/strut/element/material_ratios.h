// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/elasticity_matrix.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// Other solids than that of a structure's Material, element by element: how much stiffer and heavier. With one Poisson's
/// ratio one stiffness matrix, times a factor, is that of every element:
///
///     E_e = s_e E(rho_e),   m_e = r_e m(rho_e)
///
/// with the factors E and m of a density, for one solid. Where Poisson's ratios differ, an element has two matrices,
/// `E(rho_e) (lambda_e K_lambda,e + mu_e K_mu,e)`, with Lame's parameters of its solid: ElasticityOperator::set_solids().
struct MaterialRatios
{
  std::vector<double> stiffness = {}; ///< s, `[n_elements]`, positive; empty: all are 1
  std::vector<double> mass      = {}; ///< r, mass per volume, likewise
  /// nu, `[n_elements]`, in (-1, 0.5); empty: that of the Material in all. Where some rank has it, all have that have elements
  std::vector<double> poisson_ratio = {};
  /// Where some rank has a solid that is not isotropic: those of all elements, in place of Material and of nu. Then `stiffness` is the
  /// ratio of mean_shear_modulus(), by which preconditioners know the solids.
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

  /// One solid everywhere.
  static const MaterialRatios &none()
  {
    static const MaterialRatios none;
    return none;
  }
};
} // namespace strut
