// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/anisotropic_stiffness.h"
#include "source/element/elements.h"
#include "source/element/hexahedron.h"

#include <strut/element/material.h>

#include <type_traits>

namespace strut
{
/// Stiffness of an isotropic element of any type, from the coordinates of its nodes:
///
///     K[3a + i][3b + j] = int lambda d_i N_a d_j N_b
///                         + mu (d_j N_a d_i N_b + delta_ij grad N_a . grad N_b)
///
/// `X` is `[3][n_nodes]`; `lambda` and `mu` are Lame's parameters (force per area; a stiffness
/// factor of the element scales both). The functions compute the whole matrix, one 3x3 block of
/// nodes (a, b), or the pieces for a team of threads. Those are jacobian() once for each point,
/// gradient() for each node, and add_block() for each pair. Blocks (a, b) and (b, a) of the same
/// function are transposes of each other to the last bit.
namespace element_stiffness
{
/// Inverse of the Jacobian at quadrature point q: `inverse[d][i] = dxi_d / dx_i`.
///
/// @return determinant times weight: the volume of the point
template <typename Element, typename Number>
STRUT_HOST_DEVICE Number jacobian(const Number (&X)[3][Element::n_nodes],
                                  const int q,
                                  Number (&inverse)[3][3])
{
  Number x[3];
  const Number weight = Element::quadrature_point(q, x);
  Number J[3][3]      = {}; // J[i][d] = dx_i / dxi_d
  for (int node = 0; node < Element::n_nodes; ++node)
    {
      Number g[3];
      Element::shape_gradient(node, x, g);
      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 3; ++d)
          J[i][d] += X[i][node] * g[d];
    }
  return hexahedron::invert(J, inverse) * weight;
}

/// Gradient in real space of the shape function of `node` at quadrature point q, 1 / length.
template <typename Element, typename Number>
STRUT_HOST_DEVICE void
gradient(const Number (&inverse)[3][3], const int node, const int q, Number (&result)[3])
{
  Number x[3], g[3];
  Element::quadrature_point(q, x);
  Element::shape_gradient(node, x, g);
  for (int i = 0; i < 3; ++i)
    result[i] = inverse[0][i] * g[0] + inverse[1][i] * g[1] + inverse[2][i] * g[2];
}

/// Gradients in real space of all shape functions at quadrature point q, `[i][node]`.
///
/// @return the volume of the point
template <typename Element, typename Number>
STRUT_HOST_DEVICE Number gradients(const Number (&X)[3][Element::n_nodes],
                                   const int q,
                                   Number (&G)[3][Element::n_nodes])
{
  if constexpr (std::is_same_v<Element, Hex8>)
    return hexahedron::gradients(X, q, G);
  else
    {
      Number inverse[3][3];
      const Number dx = jacobian<Element>(X, q, inverse);
      for (int node = 0; node < Element::n_nodes; ++node)
        {
          Number g[3];
          gradient<Element>(inverse, node, q, g);
          for (int i = 0; i < 3; ++i)
            G[i][node] = g[i];
        }
      return dx;
    }
}

/// Adds the contribution of one quadrature point to block (a, b), from the gradients of both shape
/// functions and the volume `dx` of the point. 33 operations, fused multiply-adds counted once.
template <typename Number>
STRUT_HOST_DEVICE void add_block(const Number (&ga)[3],
                                 const Number (&gb)[3],
                                 const Number dx,
                                 const Number lambda,
                                 const Number mu,
                                 Number (&block)[3][3])
{
  // products of two gradients first: exchanging a and b must not change a bit
  const Number dot = ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2];
  for (int i = 0; i < 3; ++i)
    {
      for (int j = 0; j < 3; ++j)
        block[i][j] += dx * (lambda * (ga[i] * gb[j]) + mu * (ga[j] * gb[i]));
      block[i][i] += dx * (mu * dot);
    }
}

/// This is add_block() for a solid: a Material with full integration, or any ElasticityMatrix.
STRUT_HOST_DEVICE inline void add_block(const double (&ga)[3],
                                        const double (&gb)[3],
                                        const double dx,
                                        const Material &solid,
                                        double (&block)[3][3])
{
  add_block(ga, gb, dx, solid.lambda(), solid.mu(), block);
}
STRUT_HOST_DEVICE inline void add_block(const double (&ga)[3],
                                        const double (&gb)[3],
                                        const double dx,
                                        const ElasticityMatrix &solid,
                                        double (&block)[3][3])
{
  double of_a[3][6], of_b[3][6];
  hexahedron::unit_stresses(solid, ga, of_a);
  hexahedron::unit_stresses(solid, gb, of_b);
  // The mean of both orders of summation gives blocks (a, b) and (b, a) the same bits.
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      block[i][j] +=
        0.5 * dx * (hexahedron::work(of_a[i], gb, j) + hexahedron::work(of_b[j], ga, i));
}

/// This is add_block() for the Laplacian, for which the solid does not count:
/// `grad N_a . grad N_b`.
template <typename Solid>
STRUT_HOST_DEVICE void add_block(const double (&ga)[3],
                                 const double (&gb)[3],
                                 const double dx,
                                 const Solid &,
                                 double (&block)[1][1])
{
  block[0][0] += dx * (ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2]);
}

/// The whole matrix: `K[3 n_nodes][3 n_nodes]`, row by row.
template <typename Element, typename Number>
STRUT_HOST_DEVICE void
matrix(const Number (&X)[3][Element::n_nodes], const Number lambda, const Number mu, Number *K)
{
  constexpr int n = Element::n_nodes;
  for (int entry = 0; entry < 9 * n * n; ++entry)
    K[entry] = Number(0);
  for (int q = 0; q < Element::n_quadrature_points; ++q)
    {
      Number inverse[3][3], G[n][3];
      const Number dx = jacobian<Element>(X, q, inverse);
      for (int a = 0; a < n; ++a)
        gradient<Element>(inverse, a, q, G[a]);
      for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b)
          {
            Number block[3][3] = {};
            add_block(G[a], G[b], dx, lambda, mu, block);
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j)
                K[3 * n * (3 * a + i) + 3 * b + j] += block[i][j];
          }
    }
  for (int row = 3; row < 3 * n; ++row) // the part below the diagonal blocks
    for (int column = 0; column < row - row % 3; ++column)
      K[3 * n * row + column] = K[3 * n * column + row];
}

/// Volume by the element's quadrature.
template <typename Element, typename Number>
STRUT_HOST_DEVICE Number volume(const Number (&X)[3][Element::n_nodes])
{
  Number sum = Number(0);
  for (int q = 0; q < Element::n_quadrature_points; ++q)
    {
      Number inverse[3][3];
      sum += jacobian<Element>(X, q, inverse);
    }
  return sum;
}
} // namespace element_stiffness
} // namespace strut
