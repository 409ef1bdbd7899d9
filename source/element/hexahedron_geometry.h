// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>

namespace strut
{
/// The trilinear hexahedron: shape functions and geometry for every backend.
///
/// Reference element: the unit cube, vertex `v` at `(v & 1, v >> 1 & 1, v >> 2)` (deal.II's order).
/// Quadrature: 2x2x2 Gauss points, point `q` at coordinate `gauss_point(q >> d & 1)` in direction
/// d, weight 1/8.
namespace hexahedron
{
/// Abscissa of the two-point Gauss rule on [0, 1]: (1 -+ 1/sqrt(3)) / 2.
STRUT_HOST_DEVICE constexpr double gauss_point(const int upper)
{
  return upper == 0 ? 0.21132486540518711775 : 0.78867513459481288225;
}

/// Derivative of the shape function of vertex `v` in reference direction `d` at `(x0, x1, x2)`.
template <typename Number>
STRUT_HOST_DEVICE constexpr Number
reference_gradient(const int v, const int d, const Number x0, const Number x1, const Number x2)
{
  const Number n0   = (v & 1) ? x0 : Number(1) - x0;
  const Number n1   = (v & 2) ? x1 : Number(1) - x1;
  const Number n2   = (v & 4) ? x2 : Number(1) - x2;
  const Number sign = ((v >> d) & 1) ? Number(1) : Number(-1);
  return sign * (d == 0 ? n1 * n2 : d == 1 ? n0 * n2 : n0 * n1);
}

/// Computes the inverse of the 3x3 matrix J, and returns its determinant.
template <typename Number>
STRUT_HOST_DEVICE Number invert(const Number (&J)[3][3], Number (&inverse)[3][3])
{
  inverse[0][0] = J[1][1] * J[2][2] - J[1][2] * J[2][1];
  inverse[0][1] = J[0][2] * J[2][1] - J[0][1] * J[2][2];
  inverse[0][2] = J[0][1] * J[1][2] - J[0][2] * J[1][1];
  const Number determinant =
    J[0][0] * inverse[0][0] + J[1][0] * inverse[0][1] + J[2][0] * inverse[0][2];
  const Number scale = Number(1) / determinant;
  inverse[1][0]      = (J[1][2] * J[2][0] - J[1][0] * J[2][2]) * scale;
  inverse[1][1]      = (J[0][0] * J[2][2] - J[0][2] * J[2][0]) * scale;
  inverse[1][2]      = (J[0][2] * J[1][0] - J[0][0] * J[1][2]) * scale;
  inverse[2][0]      = (J[1][0] * J[2][1] - J[1][1] * J[2][0]) * scale;
  inverse[2][1]      = (J[0][1] * J[2][0] - J[0][0] * J[2][1]) * scale;
  inverse[2][2]      = (J[0][0] * J[1][1] - J[0][1] * J[1][0]) * scale;
  inverse[0][0] *= scale;
  inverse[0][1] *= scale;
  inverse[0][2] *= scale;
  return determinant;
}

/// Gradients of the eight shape functions in real space at quadrature point q.
///
/// @param X  vertex coordinates, `[3][8]`
/// @param gradients  result, `[3][8]`, 1 / length
/// @return determinant of the Jacobian times the quadrature weight (volume)
template <typename Number>
STRUT_HOST_DEVICE Number gradients(const Number (&X)[3][8], const int q, Number (&gradients)[3][8])
{
  const Number x0 = Number(gauss_point(q & 1));
  const Number x1 = Number(gauss_point((q >> 1) & 1));
  const Number x2 = Number(gauss_point(q >> 2));

  Number J[3][3] = {}; // J[i][d] = dx_i / dxi_d
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d)
      {
        const Number g = reference_gradient(v, d, x0, x1, x2);
        for (int i = 0; i < 3; ++i)
          J[i][d] += X[i][v] * g;
      }

  Number inverse[3][3]; // inverse[d][i] = dxi_d / dx_i
  const Number determinant = invert(J, inverse);

  for (int v = 0; v < 8; ++v)
    {
      const Number g0 = reference_gradient(v, 0, x0, x1, x2);
      const Number g1 = reference_gradient(v, 1, x0, x1, x2);
      const Number g2 = reference_gradient(v, 2, x0, x1, x2);
      for (int i = 0; i < 3; ++i)
        gradients[i][v] = inverse[0][i] * g0 + inverse[1][i] * g1 + inverse[2][i] * g2;
    }
  return determinant * Number(0.125);
}

/// Integrals of the gradients of the eight shape functions over the element, `g_a = int grad N_a`:
/// the integral of div u is `sum_a g_a . u_a`.
///
/// @param g  result, `[3][8]`, length^2
/// @return the volume
template <typename Number>
STRUT_HOST_DEVICE Number integrated_gradients(const Number (&X)[3][8], Number (&g)[3][8])
{
  Number volume = Number(0);
  for (int i = 0; i < 3; ++i)
    for (int v = 0; v < 8; ++v)
      g[i][v] = Number(0);
  for (int q = 0; q < 8; ++q)
    {
      Number G[3][8];
      const Number dx = gradients(X, q, G);
      volume += dx;
      for (int i = 0; i < 3; ++i)
        for (int v = 0; v < 8; ++v)
          g[i][v] += dx * G[i][v];
    }
  return volume;
}

/// Volume of the element by 2x2x2 Gauss points (exact for trilinear geometry).
template <typename Number>
STRUT_HOST_DEVICE Number volume(const Number (&X)[3][8])
{
  Number sum = Number(0);
  Number G[3][8];
  for (int q = 0; q < 8; ++q)
    sum += gradients(X, q, G);
  return sum;
}
} // namespace hexahedron
} // namespace strut
