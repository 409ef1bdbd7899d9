// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <vector>

namespace strut
{
/// Other solids than that of a structure's Material, element by element: how much stiffer and heavier. Poisson's ratio
/// is the same in all of them, so that one stiffness matrix, times a factor, is that of every element:
///
///     E_e = s_e E(rho_e),   m_e = r_e m(rho_e)
///
/// with the factors E and m of a density, for one solid.
struct MaterialRatios
{
  std::vector<double> stiffness = {}; ///< s, `[n_elements]`, positive; empty: all are 1
  std::vector<double> mass      = {}; ///< r, mass per volume, likewise

  bool empty() const
  {
    return stiffness.empty() && mass.empty();
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
