// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/law_matrix.h"
#include "source/element/on_the_fly.h"

#include <strut/element/material.h>

#include <cmath>

namespace strut
{
namespace hexahedron
{
/// The stiffness of an element that is a box with edges along the axes, in the basis of sums and
/// differences (on_the_fly::to_coefficients()).
///
/// A reflection of the box along axis c multiplies coefficient k of component i by signs: -1 for
/// bit c of k, and another -1 for i = c. It leaves the matrix unchanged, so the matrix couples only
/// coefficients with the same three signs. These are those with `k = q xor 2^i` for one q in 0..7,
/// one for each component. So there are eight 3x3 blocks, with about 72 multiplications instead
/// of 576. The coefficient 0, a translation, has no forces.
struct BoxStiffness
{
  double block[8][3][3]; ///< `[q][i][j]`, from coefficient `q xor 2^j` to `q xor 2^i`
};

/// Multiplications and additions of apply_stiffness() with a BoxStiffness, without the zeros.
constexpr double box_flops = 6 * 24. + 2 * 57.;

/// Whether the edges are along the axes, to 1e-10 of the element's size, in the order of the
/// reference element.
///
/// @param X  vertex coordinates relative to the first, `[3][8]`
inline bool is_box(const double (&X)[3][8])
{
  const double size = std::abs(X[0][7]) + std::abs(X[1][7]) + std::abs(X[2][7]);
  for (int d = 0; d < 3; ++d)
    for (int v = 0; v < 8; ++v)
      if (!(std::abs(X[d][v] - (v >> d & 1) * X[d][7]) <= 1e-10 * size))
        return false;
  return true;
}

/// The sign of coefficient k at vertex v.
inline double sign_of_coefficient(const int k, const int v)
{
  const int low = k & ~v; // directions of k for which v is at the lower end
  return ((low ^ low >> 1 ^ low >> 2) & 1) == 0 ? 1. : -1.;
}

/// @param X  vertex coordinates of a box, `[3][8]`
inline BoxStiffness box_stiffness(const Material &material, const double (&X)[3][8])
{
  double K[24 * 24];
  element_matrix(material.formulation, material.lambda(), material.mu(), X, K);
  BoxStiffness result{};
  for (int q = 0; q < 8; ++q)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        {
          const int k = q ^ 1 << i, l = q ^ 1 << j;
          if (k == 0 || l == 0)
            continue;
          double sum = 0;
          for (int v = 0; v < 8; ++v)
            for (int w = 0; w < 8; ++w)
              sum += sign_of_coefficient(k, v) * K[24 * (3 * v + i) + 3 * w + j] *
                     sign_of_coefficient(l, w);
          result.block[q][i][j] = sum / 64.;
        }
  return result;
}

/// Computes f = K0 u by `product(q, i, h)`, which returns the force of coefficient `q xor 2^i` of
/// component i from the coefficients h of u.
///
/// @param u  displacements, `[3][8]`
/// @param f  result, `[3][8]`
template <typename Number, typename Product>
void apply_box(const Product &product, const Number (&u)[3][8], Number (&f)[3][8])
{
  Number h[3][8];
  for (int i = 0; i < 3; ++i)
    {
      for (int v = 0; v < 8; ++v)
        h[i][v] = u[i][v];
      on_the_fly::to_coefficients(h[i]);
    }
  for (int q = 0; q < 8; ++q)
    for (int i = 0; i < 3; ++i)
      f[i][q ^ 1 << i] = product(q, i, h);
  for (int i = 0; i < 3; ++i)
    on_the_fly::to_vertices(f[i], on_the_fly::constant<Number>(1.));
}

/// Returns the product of a row of a block with the coefficients.
template <typename Number>
Number row_product(const double (&row)[3], const int q, const Number (&h)[3][8])
{
  using on_the_fly::constant;
  return constant<Number>(row[0]) * h[0][q ^ 1] + constant<Number>(row[1]) * h[1][q ^ 2] +
         constant<Number>(row[2]) * h[2][q ^ 4];
}

/// Computes f = K0 u.
///
/// @param u  displacements, `[3][8]`
/// @param f  result, `[3][8]`
template <typename Number>
void apply_stiffness(const BoxStiffness &stiffness, const Number (&u)[3][8], Number (&f)[3][8])
{
  apply_box([&](const int q,
                const int i,
                const auto &h) { return row_product(stiffness.block[q][i], q, h); },
            u,
            f);
}

/// Computes f = (lambda K_lambda + mu K_mu) u, from the stiffness of Material::volumetric() and of
/// Material::deviatoric().
template <typename Number>
void apply_stiffness(const BoxStiffness &of_lambda,
                     const BoxStiffness &of_mu,
                     const Number lambda,
                     const Number mu,
                     const Number (&u)[3][8],
                     Number (&f)[3][8])
{
  apply_box(
    [&](const int q, const int i, const auto &h) {
      return lambda * row_product(of_lambda.block[q][i], q, h) +
             mu * row_product(of_mu.block[q][i], q, h);
    },
    u,
    f);
}
} // namespace hexahedron
} // namespace strut
