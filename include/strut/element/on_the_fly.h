// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/host_device.h>
#include <strut/element/hexahedron.h>

#include <type_traits>

namespace strut
{
namespace hexahedron
{
/// The product of an element's stiffness matrix with a vector, from the coordinates of its vertices
/// alone: no matrix is formed. `Number` is a number, or a pack of numbers with arithmetic operators (one
/// element a lane).
///
/// A trilinear field has derivatives in reference direction d that do not vary along d: four values per
/// direction and component, one for each pair of Gauss coordinates in the other two. Two small sweeps
/// give them from the vertices, the transposed sweeps bring the stresses back. In between, at each of
/// the 8 Gauss points, with H = grad_ref u and J = grad_ref x, both `[component][direction]`:
///
///     grad u = H adj(J) / det J,   sigma = lambda tr(eps) I + 2 mu eps,
///     flux   = sigma adj(J)^T w,   w the weight; det J drops out of the second product
///
/// About 1,320 operations, fused multiply-adds counted once, and 8 divisions: 93 at each Gauss point, 60
/// for the derivatives of a component, 72 for their transpose.
namespace on_the_fly
{
/// The type of one lane of a pack; of a number, itself.
template <typename Number, typename = void>
struct Lane
{
  using type = Number;
};
template <typename Pack>
struct Lane<Pack, std::void_t<typename Pack::value_type>>
{
  using type = typename Pack::value_type;
};

/// A constant, in all lanes.
template <typename Number>
STRUT_HOST_DEVICE Number constant(const double value)
{
  return Number(static_cast<typename Lane<Number>::type>(value));
}

/// Per direction d: the derivative at Gauss point q is `values[4 d + other(q, d)]`.
constexpr int n_derivatives = 12;

/// The two Gauss coordinates of point q beside direction d, as a number 0..3.
STRUT_HOST_DEVICE constexpr int other(const int q, const int d)
{
  return d == 0 ? q >> 1 : d == 1 ? (q & 1) | ((q >> 2) << 1) : q & 3;
}

/// The vertex at `end` of the edge along d that `edge` = 0..3 numbers by the other two coordinates.
STRUT_HOST_DEVICE constexpr int edge_vertex(const int d, const int edge, const int end)
{
  const int low = edge & 1, high = edge >> 1;
  return d == 0   ? end | low << 1 | high << 2
         : d == 1 ? low | end << 1 | high << 2
                  : edge | end << 2;
}

/// Values at the four pairs of Gauss coordinates from those at the corners of a square, in place; its
/// own transpose.
template <typename Number>
STRUT_HOST_DEVICE void interpolate(Number *const values)
{
  // (1 +- 1/sqrt(3)) / 2 times the ends: half the sum -+ half the difference / sqrt(3)
  const Number near = constant<Number>(gauss_point(1)), far = constant<Number>(gauss_point(0));
  for (int row = 0; row < 2; ++row)
    {
      const Number a = values[2 * row], b = values[2 * row + 1];
      values[2 * row]     = near * a + far * b;
      values[2 * row + 1] = far * a + near * b;
    }
  for (int column = 0; column < 2; ++column)
    {
      const Number a = values[column], b = values[2 + column];
      values[column]     = near * a + far * b;
      values[2 + column] = far * a + near * b;
    }
}

/// Reference derivatives of one component from its values at the vertices.
template <typename Number>
STRUT_HOST_DEVICE void derivatives(const Number (&vertex)[8], Number (&values)[n_derivatives])
{
  for (int d = 0; d < 3; ++d)
    {
      for (int edge = 0; edge < 4; ++edge)
        values[4 * d + edge] = vertex[edge_vertex(d, edge, 1)] - vertex[edge_vertex(d, edge, 0)];
      interpolate(values + 4 * d);
    }
}

/// The transpose of derivatives(); `values` is lost.
template <typename Number>
STRUT_HOST_DEVICE void transposed_derivatives(Number (&values)[n_derivatives], Number (&vertex)[8])
{
  for (int v = 0; v < 8; ++v)
    vertex[v] = constant<Number>(0.);
  for (int d = 0; d < 3; ++d)
    {
      interpolate(values + 4 * d);
      for (int edge = 0; edge < 4; ++edge)
        {
          vertex[edge_vertex(d, edge, 1)] += values[4 * d + edge];
          vertex[edge_vertex(d, edge, 0)] -= values[4 * d + edge];
        }
    }
}

/// Lame parameters times the quadrature weight 1/8.
template <typename Number>
struct WeightedMaterial
{
  Number lambda, mu;

  STRUT_HOST_DEVICE explicit WeightedMaterial(const Material &material)
    : lambda(constant<Number>(0.125 * material.lambda()))
    , mu(constant<Number>(0.125 * material.mu()))
  {}
};

/// f = K0 u.
///
/// @param X  vertex coordinates, `[3][8]` @param u  displacements, `[3][8]` @param f  result, `[3][8]`
template <typename Number>
STRUT_HOST_DEVICE void apply_stiffness(const WeightedMaterial<Number> &material,
                                       const Number (&X)[3][8],
                                       const Number (&u)[3][8],
                                       Number (&f)[3][8])
{
  Number dX[3][n_derivatives], du[3][n_derivatives], flux[3][n_derivatives];
  for (int i = 0; i < 3; ++i)
    {
      derivatives(X[i], dX[i]);
      derivatives(u[i], du[i]);
      for (int k = 0; k < n_derivatives; ++k)
        flux[i][k] = constant<Number>(0.);
    }

  for (int q = 0; q < 8; ++q)
    {
      Number J[3][3], H[3][3];
      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 3; ++d)
          {
            J[i][d] = dX[i][4 * d + other(q, d)];
            H[i][d] = du[i][4 * d + other(q, d)];
          }

      // adj[d][i] = det(J) dxi_d / dx_i
      Number adj[3][3];
      for (int d = 0; d < 3; ++d)
        for (int i = 0; i < 3; ++i)
          {
            const int d1 = (d + 1) % 3, d2 = (d + 2) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            adj[d][i] = J[i1][d1] * J[i2][d2] - J[i1][d2] * J[i2][d1];
          }
      const Number determinant = J[0][0] * adj[0][0] + J[0][1] * adj[1][0] + J[0][2] * adj[2][0];

      Number G[3][3]; // det(J) grad u
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          G[i][j] = H[i][0] * adj[0][j] + H[i][1] * adj[1][j] + H[i][2] * adj[2][j];

      const Number scale    = constant<Number>(1.) / determinant;
      const Number mu       = material.mu * scale;
      const Number pressure = material.lambda * scale * (G[0][0] + G[1][1] + G[2][2]);
      Number sigma[3][3];
      for (int i = 0; i < 3; ++i)
        {
          sigma[i][i] = (mu + mu) * G[i][i] + pressure;
          for (int j = 0; j < i; ++j)
            sigma[i][j] = sigma[j][i] = mu * (G[i][j] + G[j][i]);
        }

      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 3; ++d)
          flux[i][4 * d + other(q, d)] +=
            sigma[i][0] * adj[d][0] + sigma[i][1] * adj[d][1] + sigma[i][2] * adj[d][2];
    }

  for (int i = 0; i < 3; ++i)
    transposed_derivatives(flux[i], f[i]);
}

/// The diagonal of K0: `int (lambda + mu) (d_i N_v)^2 + mu |grad N_v|^2`, `[3][8]`.
STRUT_HOST_DEVICE inline void
stiffness_diagonal(const Material &material, const double (&X)[3][8], double (&diagonal)[3][8])
{
  const double mu = material.mu(), sum = material.lambda() + material.mu();
  for (int i = 0; i < 3; ++i)
    for (int v = 0; v < 8; ++v)
      diagonal[i][v] = 0.;
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8];
      const double dx = gradients(X, q, G);
      for (int v = 0; v < 8; ++v)
        {
          const double all = mu * (G[0][v] * G[0][v] + G[1][v] * G[1][v] + G[2][v] * G[2][v]);
          for (int i = 0; i < 3; ++i)
            diagonal[i][v] += dx * (sum * G[i][v] * G[i][v] + all);
        }
    }
}
} // namespace on_the_fly
} // namespace hexahedron
} // namespace strut
