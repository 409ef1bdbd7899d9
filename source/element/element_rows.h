// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/anisotropic_stiffness.h"
#include "source/element/hexahedron.h"

namespace strut
{
namespace hexahedron
{
/// Computes the row of vertex `a` of the Laplacian: `int grad N_a . grad N_b`.
STRUT_HOST_DEVICE inline void laplacian_row(const double (&X)[3][8], const int a, double (&row)[8])
{
  for (double &value : row)
    value = 0.;
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8];
      const double dx = gradients(X, q, G);
      double g[3]     = {};
      for (int v = 0; v < 8; ++v) // avoids a run-time index into registers
        for (int d = 0; d < 3; ++d)
          g[d] = v == a ? G[d][v] : g[d];
      for (int b = 0; b < 8; ++b)
        row[b] += dx * (g[0] * G[0][b] + g[1] * G[1][b] + g[2] * G[2][b]);
    }
}

/// Computes the rows of vertex `a` of an element matrix with n components per node. Those of three
/// are the stiffness of a solid. That of one is the Laplacian, for which the solid does not count.
///
/// @param rows  column = n * vertex + component
template <typename Solid, int n>
STRUT_HOST_DEVICE void
element_rows(const double (&X)[3][8], const Solid &solid, const int a, double (&rows)[n][8 * n])
{
  static_assert(n == 3 || n == 1, "components per node");
  if constexpr (n == 1)
    laplacian_row(X, a, rows[0]);
  else
    stiffness_rows(X, solid, a, rows);
}
} // namespace hexahedron
} // namespace strut
