// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/anisotropic_stiffness.h"
#include "source/element/hexahedron.h"

#include <cmath>

namespace strut
{
namespace hexahedron
{
/// A bound of `e^T C e / e^T e`.
STRUT_HOST_DEVICE inline double largest_modulus(const Material &material)
{
  return material.lambda() + 2. * material.mu();
}
STRUT_HOST_DEVICE inline double largest_modulus(const ElasticityMatrix &solid)
{
  double trace = 0.;
  for (int k = 0; k < 6; ++k)
    trace += solid.C[k][k];
  return trace;
}

/// A bound of the largest entry of the element matrix: `largest_modulus() int |grad N_v|^2`, the
/// largest over the vertices v. It has the same bits on every backend.
template <typename Solid>
STRUT_HOST_DEVICE double stiffness_bound(const double (&X)[3][8], const Solid &solid)
{
  double sums[8] = {};
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8];
      const double dx = gradients(X, q, G);
      for (int v = 0; v < 8; ++v)
        sums[v] += dx * (G[0][v] * G[0][v] + G[1][v] * G[1][v] + G[2][v] * G[2][v]);
    }
  double largest = 0;
  for (int v = 0; v < 8; ++v)
    largest = sums[v] > largest ? sums[v] : largest;
  return largest_modulus(solid) * largest;
}

/// Computes the three rows of vertex `a` as an operator stores them in `Number`. They are those of
/// stiffness_rows(). In float they are rounded such that a rigid translation of an element still
/// costs no energy.
///
/// If each entry were rounded on its own, rows would sum to some 1e-8 instead of zero. These are
/// springs to the ground, whose effect is several per cent in slender structures, where elements
/// move far and strain little. So all off-diagonal blocks are rounded to one grid of the element,
/// which float represents exactly. The diagonal block is exactly minus the (symmetric part of the)
/// sum of the others.
///
/// @param solid  a Material, or an ElasticityMatrix
/// @param K  result, `[3][24]`, column = 3 * vertex + component. If Number is float, every entry is
///   exact in it, and the matrix of all rows is symmetric
template <typename Number, typename Solid>
STRUT_HOST_DEVICE void
stored_stiffness_rows(const double (&X)[3][8], const Solid &solid, const int a, double (&K)[3][24])
{
  stiffness_rows(X, solid, a, K);
  if constexpr (sizeof(Number) < sizeof(double))
    {
      // entries below 2^exponent are less than 2^23 steps of the grid; half steps still fit into 24
      // bits
      int exponent = 0;
      std::frexp(stiffness_bound(X, solid), &exponent);
      const double step = std::ldexp(1., exponent - 23);

      double sum[3][3] = {};
      for (int b = 0; b < 8; ++b)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            {
              K[i][3 * b + j] = step * std::rint(K[i][3 * b + j] / step);
              sum[i][j] += b == a ? 0. : K[i][3 * b + j];
            }
      for (int b = 0; b < 8; ++b) // avoids a run-time index into registers
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            K[i][3 * b + j] = b == a ? -0.5 * (sum[i][j] + sum[j][i]) : K[i][3 * b + j];
    }
}
} // namespace hexahedron
} // namespace strut
