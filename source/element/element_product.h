// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/on_the_fly.h"

#include <strut/element/material.h>

namespace strut
{
namespace hexahedron
{
namespace on_the_fly
{
/// Operations of apply_with_modes().
constexpr double flops_with_modes = 3430.;

/// Additions, multiplications and divisions of a product; a fused multiply-add counts as two.
inline double flops_of(const Material &material)
{
  constexpr double of_formulation[] = {flops, flops + 8 * 45., flops_with_modes};
  return of_formulation[static_cast<int>(material.formulation)];
}

/// Computes the strain from `H = grad_ref u` and J: xx, yy, zz, and xy, yz, zx doubled; and adj(J).
///
/// @return 1 / det(J)
template <typename Number, typename Reciprocal>
STRUT_HOST_DEVICE Number strain_of(const Number (&J)[3][3],
                                   const Number (&H)[3][3],
                                   Number (&adj)[3][3],
                                   Number (&strain)[6],
                                   const Reciprocal &reciprocal)
{
  adjugate(J, adj);
  const Number scale = reciprocal(J[0][0] * adj[0][0] + J[0][1] * adj[1][0] + J[0][2] * adj[2][0]);
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      const int j   = (i + 1) % 3;
      strain[i]     = scale * (H[i][0] * adj[0][i] + H[i][1] * adj[1][i] + H[i][2] * adj[2][i]);
      strain[3 + i] = scale * (H[i][0] * adj[0][j] + H[i][1] * adj[1][j] + H[i][2] * adj[2][j] +
                               H[j][0] * adj[0][i] + H[j][1] * adj[1][i] + H[j][2] * adj[2][i]);
    }
  return scale;
}

/// Computes the stresses T_i of `alpha_i (x) A_i`.
///
/// @param S  sums of strains
/// @param size  factor of the strains
template <typename Number, typename Reciprocal>
STRUT_HOST_DEVICE void mode_stresses(const WeightedMaterial<Number> &material,
                                     const Number size,
                                     const Number (&A)[3][3],
                                     const incompatible_modes::PairSums<Number> &M,
                                     const Number (&S)[3][6],
                                     Number (&T)[3][6],
                                     const Reciprocal &reciprocal)
{
  using namespace incompatible_modes;
  // with mu = 1 the material has only lambda / mu
  const Number lambda = material.lambda * reciprocal(material.mu);
  Number L[n_lower], alpha[n];
  stiffness_of_modes(A, M, lambda, constant<Number>(1.), L);
  factor(L, reciprocal);
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      const Number pressure = lambda * (S[i][0] + S[i][1] + S[i][2]);
      STRUT_UNROLL
      for (int c = 0; c < 3; ++c)
        {
          const int d = (c + 1) % 3, e = (c + 2) % 3; // sigma_cd = S[3 + c], sigma_ce = S[3 + e]
          alpha[3 * i + c] = (S[i][c] + S[i][c] + pressure) * A[i][c] + S[i][3 + c] * A[i][d] +
                             S[i][3 + e] * A[i][e];
        }
    }
  forward_substitute(L, alpha);
  back_substitute(L, alpha);
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      Number of_mode[3];
      STRUT_UNROLL
      for (int c = 0; c < 3; ++c)
        of_mode[c] = size * alpha[3 * i + c];
      const Number pressure =
        lambda * (of_mode[0] * A[i][0] + of_mode[1] * A[i][1] + of_mode[2] * A[i][2]);
      STRUT_UNROLL
      for (int c = 0; c < 3; ++c)
        {
          const int d          = (c + 1) % 3;
          const Number stretch = of_mode[c] * A[i][c];
          T[i][c]              = stretch + stretch + pressure;
          T[i][3 + c]          = of_mode[c] * A[i][d] + of_mode[d] * A[i][c];
        }
    }
}

/// Values of the Gauss points that the first of two walks keeps for the second; here in variables.
template <typename Number>
class PointValues
{
public:
  static constexpr int n = 7; ///< numbers of a point: the strain and 1 / j

  STRUT_HOST_DEVICE void set(const int q, const int k, const Number value)
  {
    values_[q][k] = value;
  }
  STRUT_HOST_DEVICE Number get(const int q, const int k) const
  {
    return values_[q][k];
  }

  /// Called between the walks.
  ///
  /// @param X  vertex coordinates
  /// @param again  result, the same coordinates
  STRUT_HOST_DEVICE void turn(const Number (&X)[3][8], Number (&again)[3][8]) const
  {
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      for (int v = 0; v < 8; ++v)
        again[i][v] = X[i][v];
  }

private:
  Number values_[8][n];
};

/// The first walk: stores strains and 1 / j of all points in `values`, and computes
/// `S_i = sum_q s_i eps` and `M_ik = sum_q s_i s_k / j`. Points q and 7 - q are opposite, with
/// opposite signs.
template <typename Number, typename Reciprocal, typename Values>
STRUT_HOST_DEVICE void sum_strains(const Number (&X)[3][8],
                                   const Number (&u)[3][8],
                                   Values &values,
                                   Number (&S)[3][6],
                                   incompatible_modes::PairSums<Number> &M,
                                   const Reciprocal &reciprocal)
{
  using incompatible_modes::sign;
  Number dX[3][n_derivatives], du[3][n_derivatives];
  derivatives_of(X, dX);
  derivatives_of(u, du);
  STRUT_UNROLL
  for (int q = 0; q < 4; ++q)
    {
      Number strain[2][6], scale[2];
      STRUT_UNROLL
      for (int end = 0; end < 2; ++end)
        {
          const int p = end == 0 ? q : 7 - q;
          Number J[3][3], H[3][3], adj[3][3];
          at_point(p, dX, J);
          at_point(p, du, H);
          scale[end] = strain_of(J, H, adj, strain[end], reciprocal);
          STRUT_UNROLL
          for (int k = 0; k < 6; ++k)
            values.set(p, k, strain[end][k]);
          values.set(p, 6, scale[end]);
        }
      M.add(q, scale[0] + scale[1]);
      STRUT_UNROLL
      for (int k = 0; k < 6; ++k)
        {
          const Number odd = strain[0][k] - strain[1][k];
          STRUT_UNROLL
          for (int i = 0; i < 3; ++i)
            S[i][k] = q == 0           ? -odd
                      : sign(i, q) > 0 ? S[i][k] + odd
                                       : S[i][k] - odd; // signs of point 0 are -1
        }
    }
}

/// The second walk: adds the forces of the stress `sigma(eps) + 1 / j sum_i s_i T_i`.
template <typename Number, typename Values>
STRUT_HOST_DEVICE void add_forces(const WeightedMaterial<Number> &material,
                                  const Number (&dX)[3][n_derivatives],
                                  const Values &values,
                                  const Number (&T)[3][6],
                                  Number (&f)[3][8])
{
  using incompatible_modes::sign;
  Number half[2][6]; // sum_i s_i T_i = s_1 (T_1 + s_0 s_1 T_0 + s_1 s_2 T_2)
  STRUT_UNROLL
  for (int k = 0; k < 6; ++k)
    {
      half[0][k] = T[1][k] - T[0][k];
      half[1][k] = T[1][k] + T[0][k];
    }
  const Number two_mu = material.mu + material.mu;
  Number flux[3][n_derivatives];
  STRUT_UNROLL
  for (int q = 0; q < 8; ++q)
    {
      Number J[3][3], adj[3][3], strain[6], of_modes[6], sigma[3][3];
      at_point(q, dX, J);
      adjugate(J, adj);
      const Number scale = sign(1, q) > 0 ? values.get(q, 6) : -values.get(q, 6);
      STRUT_UNROLL
      for (int k = 0; k < 6; ++k)
        {
          const Number part = half[sign(0, q) == sign(1, q) ? 1 : 0][k];
          of_modes[k]       = sign(1, q) == sign(2, q) ? part + T[2][k] : part - T[2][k];
          strain[k]         = values.get(q, k);
        }
      const Number pressure = material.lambda * (strain[0] + strain[1] + strain[2]);
      STRUT_UNROLL
      for (int i = 0; i < 3; ++i)
        {
          const int j = (i + 1) % 3;
          sigma[i][i] = multiply_add(two_mu, strain[i], multiply_add(scale, of_modes[i], pressure));
          sigma[i][j] = sigma[j][i] =
            multiply_add(material.mu, strain[3 + i], scale * of_modes[3 + i]);
        }
      add_flux(q, sigma, adj, flux);
    }
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    transposed_derivatives(flux[i], f[i]);
}

/// Computes f = factor K0 u with incompatible modes (incompatible_modes.h). The sums of a first
/// walk over the Gauss points give the coefficients `alpha = -K_aa^-1 K_au u` with
///
///     (K_au u)_i = sigma(S_i) A_i,   A = adj(J) at the centre.
///
/// A replaces G, since the factor cancels, and so does j_0. The coefficients give the stresses T_i
/// of `alpha_i (x) A_i`, and these give the forces in a second walk. Strains and 1 / j of all
/// points, 56 numbers, are stored in between: computing them again would take half as much work
/// again.
///
/// About 2,000 operations, fused multiply-adds counted once: 1.6 times those of the trilinear
/// element.
///
/// @param material  its stiffness must be positive
/// @param factor  factor of the stiffness, which may be 0
template <typename Number, typename Reciprocal, typename Values>
STRUT_HOST_DEVICE void apply_with_modes(const WeightedMaterial<Number> &material,
                                        const Number factor,
                                        const Number (&X)[3][8],
                                        const Number (&u)[3][8],
                                        Number (&f)[3][8],
                                        const Reciprocal &reciprocal,
                                        Values &values)
{
  const Number zero                      = constant<Number>(0.);
  incompatible_modes::PairSums<Number> M = {{zero, zero, zero, zero}};
  Number S[3][6], T[3][6], h[3][8], J[3][3], A[3][3], dX[3][n_derivatives];
  sum_strains(X, u, values, S, M, reciprocal);
  values.turn(X, h);
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      to_coefficients(h[i]);
      STRUT_UNROLL
      for (int d = 0; d < 3; ++d)
        J[i][d] = h[i][1 << d];
    }
  adjugate(J, A);
  mode_stresses(
    material, -(material.mu * factor), A, M, S, T, reciprocal); // alpha has the opposite sign
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    derivatives(h[i], dX[i]);
  add_forces(material.times(factor), dX, values, T, f);
}

/// The product of a trilinear element.
template <bool has_mean>
struct TrilinearProduct
{
  static constexpr bool has_two_walks = false; ///< whether it walks twice over the Gauss points

  template <typename Values, typename Number, typename... Others>
  STRUT_HOST_DEVICE static void
  apply(Values &, const WeightedMaterial<Number> &material, const Number factor, Others &...others)
  {
    apply_stiffness<has_mean>(material.times(factor), others...);
  }
};

/// The product in a formulation.
template <Formulation>
struct ElementProduct : TrilinearProduct<false>
{};
template <>
struct ElementProduct<Formulation::mean_dilatation> : TrilinearProduct<true>
{};
template <>
struct ElementProduct<Formulation::incompatible_modes>
{
  static constexpr bool has_two_walks = true;

  template <typename Values, typename... Others>
  STRUT_HOST_DEVICE static void apply(Values &values, Others &...others)
  {
    apply_with_modes(others..., values);
  }
};

/// Computes f = K0 u in a formulation.
///
/// @param factor  factor of the stiffness, which may be 0
template <Formulation formulation,
          typename Number,
          typename Reciprocal = Division,
          typename Values     = PointValues<Number>>
STRUT_HOST_DEVICE void element_product(const WeightedMaterial<Number> &material,
                                       const Number factor,
                                       const Number (&X)[3][8],
                                       const Number (&u)[3][8],
                                       Number (&f)[3][8],
                                       const Reciprocal &reciprocal = Reciprocal(),
                                       Values values                = Values())
{
  ElementProduct<formulation>::apply(values, material, factor, X, u, f, reciprocal);
}
} // namespace on_the_fly
} // namespace hexahedron
} // namespace strut
