// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/incompatible_modes.h"

#include <strut/element/material.h>

namespace strut::hexahedron
{
/// Contribution of an element's incompatible modes to the displacement gradient.
class ModesOfElement
{
public:
  /// @param u  displacements of the vertices, `[3][8]`
  ModesOfElement(const double (&X)[3][8], const Material &material, const double (&u)[3][8])
    : modes_(X, material.lambda(), material.mu())
  {
    // Solves K_aa a = -K_au u.
    for (int v = 0; v < 8; ++v)
      for (int i = 0; i < 3; ++i)
        {
          double column[incompatible_modes::n];
          modes_.reduced_column(modes_.h[v], i, column);
          for (int m = 0; m < incompatible_modes::n; ++m)
            coefficients_[m] -= column[m] * u[i][v];
        }
    incompatible_modes::back_substitute(modes_.L, coefficients_);
    double G[3][3];
    centre_ = incompatible_modes::centre_gradients(X, G);
  }

  /// Adds the part of the modes to `du_i / dx_j` at the Gauss points, `[i][j][q]`.
  /// @param determinant  of dx / dxi at the points
  void add(const double (&determinant)[8], double (&gradient)[3][3][8]) const
  {
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
          for (int q = 0; q < 8; ++q)
            gradient[c][d][q] += coefficients_[3 * i + c] * incompatible_modes::sign(i, q) *
                                 centre_ / (0.125 * determinant[q]) * modes_.G[i][d];
  }

private:
  incompatible_modes::Condensation<double> modes_;
  double coefficients_[incompatible_modes::n] = {};
  double centre_                              = 0.;
};
} // namespace strut::hexahedron
