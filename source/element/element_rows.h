// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/anisotropic_stiffness.h"
#include "source/element/element_stiffness.h"
#include "source/element/hexahedron.h"
#include "source/element/types/hex8.h"

#include <type_traits>

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

/// Computes the rows of node `a` of the matrix of any element, with full integration: see
/// hexahedron::element_rows(), which hexahedra of eight nodes take.
///
/// @param solid  a Material, or an ElasticityMatrix
template <typename Element, typename Solid, int n>
STRUT_HOST_DEVICE void element_rows(const double (&X)[3][Element::n_nodes],
                                    const Solid &solid,
                                    const int a,
                                    double (&rows)[n][Element::n_nodes * n])
{
  if constexpr (std::is_same_v<Element, Hex8>)
    hexahedron::element_rows(X, solid, a, rows);
  else
    {
      for (int i = 0; i < n; ++i)
        for (int column = 0; column < Element::n_nodes * n; ++column)
          rows[i][column] = 0.;
      for (int q = 0; q < Element::n_quadrature_points; ++q)
        {
          double inverse[3][3], ga[3];
          const double dx = element_stiffness::jacobian<Element>(X, q, inverse);
          element_stiffness::gradient<Element>(inverse, a, q, ga);
          for (int b = 0; b < Element::n_nodes; ++b)
            {
              double gb[3], block[n][n] = {};
              element_stiffness::gradient<Element>(inverse, b, q, gb);
              element_stiffness::add_block(ga, gb, dx, solid, block);
              for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                  rows[i][n * b + j] += block[i][j];
            }
        }
    }
}
} // namespace strut
