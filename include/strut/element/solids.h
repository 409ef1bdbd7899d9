// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/elasticity_matrix.h>
#include <strut/element/law.h>
#include <strut/element/material.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The solids of the elements of a structure, by a law and its numbers, relative to the structure's
/// Material. A design with the factors E(rho_e) has the stiffness matrices
///
///     E(rho_e) s_e K0_e                                Law::factor: ratios s of Young's modulus
///     E(rho_e) (lambda_e K_lambda,e + mu_e K_mu,e)     Law::lame, and laws that it computes
///     E(rho_e) K_table,e                               Law::table
struct Solids
{
  Law law = Law::factor; ///< law of `numbers` on all ranks that have some

  /// Numbers of the law, `[n_components][n_elements]`, on all ranks with elements or on none. None:
  /// all elements have the Material. Those of Law::table are shear ratios, for preconditioners.
  std::vector<std::vector<double>> numbers = {};

  /// Mass per volume over that of the Material, `[n_elements]`, positive; empty: all are 1.
  std::vector<double> mass = {};

  AnisotropicSolids table = {}; ///< the solids of Law::table

  /// Isotropic solids by their ratios of Young's modulus and Poisson's ratios, `[n_elements]` each.
  /// Without the latter all have that of the Material.
  static Solids isotropic(std::vector<double> stiffness,
                          std::vector<double> poisson_ratios = {},
                          std::vector<double> mass           = {});

  bool empty() const
  {
    return numbers.empty() && mass.empty();
  }
  std::size_t n_elements() const
  {
    return numbers.empty() ? 0 : numbers[0].size();
  }
  double mass_of(const std::size_t element) const
  {
    return mass.empty() ? 1. : mass[element];
  }

  /// Computes the numbers of Law::known() for an element.
  void known_numbers(const Material &material,
                     std::size_t element,
                     double (&result)[Law::most_components]) const;

  /// The solid of an element; the Material for laws that Law::table or Law::tangents compute.
  Material isotropic_solid(const Material &material, std::size_t element) const;

  /// Ratio of the element's shear modulus to that of the material. It is also the ratio of von
  /// Mises stresses at the same strain, since changes of volume do not contribute to them.
  double shear_ratio(const Material &material, std::size_t element) const;

  /// Solids of a structure with one solid everywhere.
  static const Solids &none();
};
} // namespace strut
