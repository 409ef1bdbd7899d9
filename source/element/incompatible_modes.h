// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron_geometry.h"

#include <strut/base/host_device.h>

namespace strut
{
namespace hexahedron
{
/// The incompatible modes of a hexahedron (Wilson, Taylor, Doherty and Ghaboussi 1973). Each
/// component of the displacement has, beside the shape functions, the modes `1 - xi_i^2` of the
/// coordinates xi_i in [-1, 1], i = 0..2. Their nine coefficients belong to one element. Minimising
/// the energy eliminates them:
///
///     K = K_uu - K_ua K_aa^-1 K_au
///
/// At Gauss point q, with the sign s_i of its coordinate i, the gradient of mode i is taken as
///
///     g_i = s_i j_0 / j G_i,   G_i = grad xi_i at the centre,   j = det J, j_0 at the centre,
///
/// up to a factor, which cancels (Taylor, Beresford and Wilson 1976). So the modes do no work on
/// constant stress, `sum_q w j g_i = 0`, and elements of any shape pass the patch test. With the
/// weights w,
///
///     K_aa[3i + c][3k + d] = M_ik (lambda G_ic G_kd + mu (G_kc G_id + delta_cd G_i . G_k)),
///     M_ik                 = sum_q w s_i s_k j_0^2 / j,
///     K_au[3i + c][3b + d] = lambda G_ic h_ibd + mu (h_ibc G_id + delta_cd G_i . h_ib),
///     h_ib                 = sum_q w j_0 s_i grad N_b.
///
/// At the centre of the element the modes have no strain: stresses there follow from the nodal
/// displacements.
namespace incompatible_modes
{
constexpr int n       = 9;               ///< coefficients, `[mode i][component c]`
constexpr int n_lower = n * (n + 1) / 2; ///< entries of a lower triangle

/// The position of (row, column <= row) in a lower triangle, row by row.
STRUT_HOST_DEVICE constexpr int lower(const int row, const int column)
{
  return row * (row + 1) / 2 + column;
}

/// Sign of coordinate i of Gauss point q.
STRUT_HOST_DEVICE constexpr int sign(const int i, const int q)
{
  return (q >> i & 1) == 0 ? -1 : 1;
}

/// The sums M_ik as four different numbers: the diagonal, 01, 02, 12.
template <typename Number>
struct PairSums
{
  Number values[4];

  /// @param value  `w j_0^2 / j` at point q
  STRUT_HOST_DEVICE void add(const int q, const Number value)
  {
    values[0] = values[0] + value;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < i; ++k)
        values[i + k] = sign(i, q) == sign(k, q) ? values[i + k] + value : values[i + k] - value;
  }

  STRUT_HOST_DEVICE const Number &at(const int i, const int k) const
  {
    return values[i == k ? 0 : i + k];
  }
};

/// Computes the lower triangle of K_aa.
template <typename Number>
STRUT_HOST_DEVICE void stiffness_of_modes(const Number (&G)[3][3],
                                          const PairSums<Number> &M,
                                          const Number lambda,
                                          const Number mu,
                                          Number (&K)[n_lower])
{
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    STRUT_UNROLL
  for (int k = 0; k <= i; ++k)
    {
      const Number dot = mu * (G[i][0] * G[k][0] + G[i][1] * G[k][1] + G[i][2] * G[k][2]);
      STRUT_UNROLL
      for (int c = 0; c < 3; ++c)
        STRUT_UNROLL
      for (int d = 0; d < 3; ++d)
        if (i != k || d <= c)
          {
            const Number entry = lambda * (G[i][c] * G[k][d]) + mu * (G[k][c] * G[i][d]);
            K[lower(3 * i + c, 3 * k + d)] = M.at(i, k) * (c == d ? entry + dot : entry);
          }
    }
}

/// Factorises a positive definite matrix into `L D L^T` in place: L below the diagonal, and 1 / D
/// on it.
template <typename Number, typename Reciprocal>
STRUT_HOST_DEVICE void factor(Number (&A)[n_lower], const Reciprocal &reciprocal)
{
  STRUT_UNROLL
  for (int k = 0; k < n; ++k)
    {
      const Number inverse = reciprocal(A[lower(k, k)]);
      A[lower(k, k)]       = inverse;
      STRUT_UNROLL
      for (int i = n - 1; i > k; --i)
        {
          const Number entry = A[lower(i, k)] * inverse; // later rows still have L D in this column
          STRUT_UNROLL
          for (int j = k + 1; j <= i; ++j)
            A[lower(i, j)] = A[lower(i, j)] - entry * A[lower(j, k)];
          A[lower(i, k)] = entry;
        }
    }
}

/// Solves `L y' = y` in place.
template <typename Number>
STRUT_HOST_DEVICE void forward_substitute(const Number (&L)[n_lower], Number (&y)[n])
{
  STRUT_UNROLL
  for (int i = 1; i < n; ++i)
    STRUT_UNROLL
  for (int j = 0; j < i; ++j)
    y[i] = y[i] - L[lower(i, j)] * y[j];
}

/// Solves `L^T y' = D^-1 y` in place.
template <typename Number>
STRUT_HOST_DEVICE void back_substitute(const Number (&L)[n_lower], Number (&y)[n])
{
  STRUT_UNROLL
  for (int i = n - 1; i >= 0; --i)
    {
      y[i] = y[i] * L[lower(i, i)];
      STRUT_UNROLL
      for (int j = i + 1; j < n; ++j)
        y[i] = y[i] - L[lower(j, i)] * y[j];
    }
}

/// Gradients of the reference coordinates at the centre, `G[d][i] = dxi_d / dx_i` up to a factor,
/// from the vertices of the element.
///
/// @return j_0 times the quadrature weight 1/8, as gradients() returns it
template <typename Number>
STRUT_HOST_DEVICE Number centre_gradients(const Number (&X)[3][8], Number (&G)[3][3])
{
  Number J[3][3] = {};
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < 3; ++i)
        J[i][d] += X[i][v] * reference_gradient(v, d, Number(0.5), Number(0.5), Number(0.5));
  return invert(J, G) * Number(0.125);
}

/// The factors that eliminate the modes of an element, without h.
template <typename Number>
struct ModeFactors
{
  Number lambda, mu;
  Number G[3][3];    ///< `[mode][component]`
  Number L[n_lower]; ///< factors of K_aa

  /// Computes L from G.
  STRUT_HOST_DEVICE void factor_stiffness(const PairSums<Number> &M)
  {
    stiffness_of_modes(G, M, lambda, mu, L);
    factor(L, [](const Number x) { return Number(1) / x; });
  }

  /// Computes `L^-1 K_au` in the column of component j of a vertex.
  ///
  /// @param of_vertex  h of the vertex
  STRUT_HOST_DEVICE void
  reduced_column(const Number (&of_vertex)[3][3], const int j, Number (&column)[n]) const
  {
    for (int i = 0; i < 3; ++i)
      {
        const Number(&g)[3] = of_vertex[i];
        const Number dot    = G[i][0] * g[0] + G[i][1] * g[1] + G[i][2] * g[2];
        for (int c = 0; c < 3; ++c)
          column[3 * i + c] =
            lambda * (G[i][c] * g[j]) + mu * (g[c] * G[i][j] + (c == j ? dot : Number(0)));
      }
    forward_substitute(L, column);
  }

  /// The entry of `K_ua K_aa^-1 K_au` for two reduced columns. Exchanging them gives the same bits.
  STRUT_HOST_DEVICE Number entry(const Number (&row)[n], const Number (&column)[n]) const
  {
    Number sum = Number(0);
    for (int m = 0; m < n; ++m)
      sum += (row[m] * column[m]) * L[lower(m, m)];
    return sum;
  }
};

/// All data that eliminates the modes of an element.
template <typename Number>
struct Condensation : ModeFactors<Number>
{
  Number h[8][3][3]; ///< `[vertex][mode][component]`

  /// @param X  vertex coordinates, `[3][8]`
  STRUT_HOST_DEVICE
  Condensation(const Number (&X)[3][8], const Number lambda, const Number mu)
    : ModeFactors<Number>{lambda, mu, {}, {}}, h{}
  {
    PairSums<Number> M  = {};
    const Number centre = centre_gradients(X, this->G);
    for (int q = 0; q < 8; ++q)
      {
        Number gradient[3][8];
        M.add(q, centre * centre / gradients(X, q, gradient));
        for (int v = 0; v < 8; ++v)
          for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 3; ++c)
              h[v][i][c] += Number(sign(i, q)) * centre * gradient[c][v];
      }
    this->factor_stiffness(M);
  }
};

/// Subtracts K_ua K_aa^-1 K_au from the three rows of vertex `a`. Blocks (a, b) and (b, a) get the
/// same bits.
///
/// @param X  vertex coordinates, `[3][8]`
/// @param K  `[3][24]`, column = 3 * vertex + component
template <typename Number>
STRUT_HOST_DEVICE void subtract_rows(
  const Number (&X)[3][8], const Number lambda, const Number mu, const int a, Number (&K)[3][24])
{
  const Condensation<Number> modes(X, lambda, mu);
  Number of_a[3][3] = {}, rows[3][n];
  for (int v = 0; v < 8; ++v) // avoids a run-time index into registers
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c)
        of_a[i][c] += v == a ? modes.h[v][i][c] : Number(0);
  for (int i = 0; i < 3; ++i)
    modes.reduced_column(of_a, i, rows[i]);
  for (int b = 0; b < 8; ++b)
    for (int j = 0; j < 3; ++j)
      {
        Number column[n];
        modes.reduced_column(modes.h[b], j, column);
        for (int i = 0; i < 3; ++i)
          K[i][3 * b + j] -= modes.entry(rows[i], column);
      }
}

/// Subtracts K_ua K_aa^-1 K_au from the whole matrix, `[24][24]`.
inline void
subtract(const double (&X)[3][8], const double lambda, const double mu, double (&K)[24 * 24])
{
  const Condensation<double> modes(X, lambda, mu);
  double columns[24][n];
  for (int i = 0; i < 24; ++i)
    modes.reduced_column(modes.h[i / 3], i % 3, columns[i]);
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 24; ++j)
      K[24 * i + j] -= modes.entry(columns[i], columns[j]);
}

/// Subtracts K_ua K_aa^-1 K_au from the diagonal blocks of all vertices, `[6][8]`: xx, xy, xz, yy,
/// yz, zz.
STRUT_HOST_DEVICE inline void subtract_blocks(const double (&X)[3][8],
                                              const double lambda,
                                              const double mu,
                                              double (&blocks)[6][8])
{
  const Condensation<double> modes(X, lambda, mu);
  for (int v = 0; v < 8; ++v)
    {
      double columns[3][n];
      for (int i = 0; i < 3; ++i)
        modes.reduced_column(modes.h[v], i, columns[i]);
      for (int i = 0, k = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++k)
          blocks[k][v] -= modes.entry(columns[i], columns[j]);
    }
}
} // namespace incompatible_modes
} // namespace hexahedron
} // namespace strut
