// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/element/material.h>

namespace strut
{
/// The von Mises stress `vM_e(u)` of the solid at the centre (1/2, 1/2, 1/2) of each element of a
/// mesh, and its derivative by the displacements. It works on one rank of one backend. Results are
/// the same bits in every run.
class ElementStress
{
public:
  virtual ~ElementStress() = default;

  /// @param u  displacements, `[3 * n_nodes]`, ghosts up to date
  /// @param stress  vM_e, `[n_elements]`, force per area; overwritten
  virtual void
  von_mises(const Material &material, const Array<double> &u, Array<double> &stress) const = 0;
  virtual void
  von_mises(const Material &material, const Array<float> &u, Array<double> &stress) const = 0;

  /// Computes `g = sum_e f_e dvM_e/du`, with partial sums on ghosts. An element without stress adds
  /// nothing.
  ///
  /// @param factors  f_e, `[n_elements]`
  /// @param u  `[3 * n_nodes]`, ghosts up to date
  /// @param g  `[3 * n_nodes]`; overwritten
  virtual void add_up_slopes(const Material &material,
                             const Array<double> &factors,
                             const Array<double> &u,
                             Array<double> &g) = 0;
  virtual void add_up_slopes(const Material &material,
                             const Array<double> &factors,
                             const Array<float> &u,
                             Array<double> &g) = 0;
};
} // namespace strut
