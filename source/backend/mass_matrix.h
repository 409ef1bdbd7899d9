// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/design/mass_interpolation.h"

#include <strut/base/array.h>
#include <strut/element/mass_kind.h>
#include <strut/mesh/element_mesh.h>

#include <string>

namespace strut
{
/// The matrix `M = sum_e P_e^T (m_e M0_e) P_e` over the elements of one rank, on one backend. M0_e
/// is the mass of element e at factor 1 and density 1. Results are the same bits in every run.
/// Constraints and the halo are not handled here: x must hold valid ghost values, and y receives
/// partial sums on ghosts.
class MassMatrix
{
public:
  virtual ~MassMatrix() = default;

  /// Bytes per element of the volumes of the points, the connectivity and its reverse. Beside hex8,
  /// products of elements are kept, too.
  static double bytes_per_element(const ElementType &type);
  /// Bytes per node of the offsets in the reverse of the connectivity.
  static constexpr double bytes_per_node = sizeof(LocalIndex);

  /// y = M x; overwrites y.
  ///
  /// @param factors  m_e, `[n_elements]`
  /// @param x,  y  `[3 * n_nodes]`
  virtual void
  apply(const Array<double> &factors, const Array<double> &x, Array<double> &y) const = 0;

  /// `x_e^T M0_e x_e`, `[n_elements]`
  virtual void energies(const Array<double> &x, Array<double> &energies) const = 0;

  /// Sets m_e = m(rho_e), `[n_elements]`.
  virtual void interpolate(const MassInterpolation &interpolation,
                           const Array<double> &densities,
                           Array<double> &factors) const = 0;

  /// Adds factor m'(rho_e) by_mass_e to sum_e.
  virtual void add_sensitivities(const MassInterpolation &interpolation,
                                 double factor,
                                 const Array<double> &densities,
                                 const Array<double> &by_mass,
                                 Array<double> &sum) const = 0;
};

/// The number of points for the mass of an element.
int n_mass_points(const ElementType &type);

/// Says that a sum of a row of the mass matrix is negative, as at vertices of tet10 and hex20; it
/// is empty if none is.
std::string obstacle_to_lumped_mass(const ElementType &type);
} // namespace strut
