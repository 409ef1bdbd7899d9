// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron_geometry.h"
#include "source/element/incompatible_modes.h"

#include <strut/base/host_device.h>
#include <strut/element/material.h>

namespace strut
{
namespace hexahedron
{
/// Sets the three rows of vertex `a` to those of lambda / V g g^T, with integrated_gradients().
template <typename Number>
STRUT_HOST_DEVICE void
set_mean_dilatation(const Number (&X)[3][8], const Number lambda, const int a, Number (&K)[3][24])
{
  Number g[3][8], ga[3] = {};
  const Number factor = lambda / integrated_gradients(X, g);
  for (int v = 0; v < 8; ++v)
    for (int i = 0; i < 3; ++i)
      ga[i] += v == a ? g[i][v] : Number(0);
  for (int b = 0; b < 8; ++b)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        K[i][3 * b + j] = factor * (ga[i] * g[j][b]);
}

/// Computes the three rows of the stiffness matrix of vertex `a`:
///
///     K[i][3 b + j] = int lambda d_i N_a d_j N_b
///                         + mu (d_j N_a d_i N_b + delta_ij (grad N_a, grad N_b))
///
/// With the mean dilatation the first term is `lambda / V g_ai g_bj`
/// (integrated_gradients()). With incompatible modes their part is subtracted.
///
/// @param X  vertex coordinates, `[3][8]`
/// @param K  result, `[3][24]`, column = 3 * vertex + component
template <typename Number>
STRUT_HOST_DEVICE void
stiffness_rows(const Number (&X)[3][8], const Material &material, const int a, Number (&K)[3][24])
{
  Number lambda   = Number(material.lambda());
  const Number mu = Number(material.mu());
  bool has_modes  = false;
  for (int i = 0; i < 3; ++i)
    for (int column = 0; column < 24; ++column)
      K[i][column] = Number(0);
  switch (material.formulation)
    {
      case Formulation::full_integration:
        break;
      case Formulation::mean_dilatation:
        set_mean_dilatation(X, lambda, a, K);
        lambda = Number(0); // at the points
        break;
      case Formulation::incompatible_modes:
        has_modes = true;
    }

  for (int q = 0; q < 8; ++q)
    {
      Number G[3][8];
      const Number dx = gradients(X, q, G);

      // gradient of N_a, without a run-time index into registers
      Number ga[3] = {};
      for (int v = 0; v < 8; ++v)
        for (int i = 0; i < 3; ++i)
          ga[i] += v == a ? G[i][v] : Number(0);

      // products first, so that rows a and b get the same bits in blocks (a, b) and (b, a)
      for (int b = 0; b < 8; ++b)
        {
          const Number dot = ga[0] * G[0][b] + ga[1] * G[1][b] + ga[2] * G[2][b];
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              K[i][3 * b + j] += dx * (lambda * (ga[i] * G[j][b]) + mu * (ga[j] * G[i][b]) +
                                       (i == j ? mu * dot : Number(0)));
        }
    }
  if (has_modes)
    incompatible_modes::subtract_rows(X, lambda, mu, a, K);
}

/// Adds lambda / V g g^T to the whole matrix `[24][24]` of an element with the mean dilatation.
inline void add_mean_dilatation(const double lambda, const double (&X)[3][8], double (&K)[24 * 24])
{
  double g[3][8];
  const double factor = lambda / integrated_gradients(X, g);
  for (int row = 0; row < 24; ++row)
    for (int column = 0; column < 24; ++column)
      K[24 * row + column] += factor * (g[row % 3][row / 3] * g[column % 3][column / 3]);
}
} // namespace hexahedron
} // namespace strut
