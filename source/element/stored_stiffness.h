// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/element_rows.h"

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

/// The solid of the Laplacian.
struct UnitConductivity
{};

STRUT_HOST_DEVICE inline double largest_modulus(const UnitConductivity &)
{
  return 1.;
}

/// A bound of the largest entry of the element matrix: `largest_modulus() int |grad N_v|^2`, the
/// largest over the nodes v. It has the same bits on every backend.
template <typename Element, typename Solid>
STRUT_HOST_DEVICE double stiffness_bound(const double (&X)[3][Element::n_nodes], const Solid &solid)
{
  constexpr int n = Element::n_nodes;
  double sums[n]  = {};
  for (int q = 0; q < Element::n_quadrature_points; ++q)
    {
      double G[3][n];
      const double dx = element_stiffness::gradients<Element>(X, q, G);
      for (int v = 0; v < n; ++v)
        sums[v] += dx * (G[0][v] * G[0][v] + G[1][v] * G[1][v] + G[2][v] * G[2][v]);
    }
  double largest = 0;
  for (int v = 0; v < n; ++v)
    largest = sums[v] > largest ? sums[v] : largest;
  return largest_modulus(solid) * largest;
}

/// Computes the rows of node `a` as an operator stores them in `Number`, one for each of n
/// components. They are those of element_rows(). In float they are rounded such that a rigid
/// translation of an element, or a constant scalar, still costs no energy.
///
/// If each entry were rounded on its own, rows would sum to some 1e-8 instead of zero. These are
/// springs to the ground, whose effect is several per cent in slender structures, where elements
/// move far and strain little. So all off-diagonal blocks are rounded to one grid of the element,
/// which float represents exactly. The diagonal block is exactly minus the (symmetric part of the)
/// sum of the others.
///
/// @param solid  a Material, or an ElasticityMatrix
/// @param K  result, column = n * node + component. If Number is float, every entry is
///   exact in it, and the matrix of all rows is symmetric
template <typename Number, typename Element, typename Solid, int n>
STRUT_HOST_DEVICE void stored_stiffness_rows(const double (&X)[3][Element::n_nodes],
                                             const Solid &solid,
                                             const int a,
                                             double (&K)[n][Element::n_nodes * n])
{
  strut::element_rows<Element>(X, solid, a, K);
  if constexpr (sizeof(Number) < sizeof(double))
    {
      // entries below 2^exponent are less than 2^23 steps of the grid; half steps still fit into 24
      // bits
      int exponent = 0;
      if constexpr (n == 1)
        std::frexp(stiffness_bound<Element>(X, UnitConductivity()), &exponent);
      else
        std::frexp(stiffness_bound<Element>(X, solid), &exponent);
      const double step = std::ldexp(1., exponent - 23);

      double sum[n][n] = {};
      for (int b = 0; b < Element::n_nodes; ++b)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            {
              K[i][n * b + j] = step * std::rint(K[i][n * b + j] / step);
              sum[i][j] += b == a ? 0. : K[i][n * b + j];
            }
      for (int b = 0; b < Element::n_nodes; ++b) // avoids a run-time index into registers
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            K[i][n * b + j] = b == a ? -0.5 * (sum[i][j] + sum[j][i]) : K[i][n * b + j];
    }
}
} // namespace hexahedron
} // namespace strut
