// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/on_the_fly.h"

#include <strut/element/material.h>

#include <type_traits>

namespace strut
{
namespace hexahedron
{
namespace on_the_fly
{
/// How an element makes forces from displacements, as the material asks.
enum class Formulation
{
  full,
  mean_dilatation,   ///< VolumetricIntegration::mean
  incompatible_modes ///< ElementKind::incompatible_modes
};

/// body(std::integral_constant<Formulation, ...>) with that of a material.
template <typename Body>
void with_formulation(const Material &material, const Body &body)
{
  if (material.has_mean_dilatation())
    body(std::integral_constant<Formulation, Formulation::mean_dilatation>());
  else if (material.has_incompatible_modes())
    body(std::integral_constant<Formulation, Formulation::incompatible_modes>());
  else
    body(std::integral_constant<Formulation, Formulation::full>());
}

/// Of apply_with_modes(): 242 at each Gauss point, 865 for the coefficients.
constexpr double flops_with_modes = 6 * 72. + 8 * 242. + 865. + 3 * 77.;

/// Additions, multiplications and divisions of a product, a fused multiply-add is two.
inline double flops_of(const Material &material)
{
  return material.has_mean_dilatation()      ? flops + 8 * 45.
         : material.has_incompatible_modes() ? flops_with_modes
                                             : flops;
}

/// f = K0 u with incompatible modes (incompatible_modes.h). Two walks over the Gauss points: the first one collects the strains,
/// `S_i = sum_q s_i eps`, and `M_ik` up to a factor; from them come the coefficients `alpha = -K_aa^-1 K_au u`,
///
///     (K_au u)_i = sigma(S_i) A_i,   A = adj(J) at the centre, which stands for G: the factor cancels,
///
/// and the stresses T_i of `alpha_i (x) A_i`. The second one has the stress `sigma(eps) + j_0 / j sum_i s_i T_i`. Strains stay
/// between, 48 numbers in the place of the derivatives of u.
///
/// About 3,460 operations, a fused multiply-add is two: 1.9 times those of the trilinear element.
///
/// @param material  its stiffness must be positive: a factor that may be 0 belongs to f
template <typename Number, typename Reciprocal = Division>
STRUT_HOST_DEVICE void apply_with_modes(const WeightedMaterial<Number> &material,
                                        const Number (&X)[3][8],
                                        const Number (&u)[3][8],
                                        Number (&f)[3][8],
                                        const Reciprocal &reciprocal = Reciprocal())
{
  using namespace incompatible_modes;
  const Number zero = constant<Number>(0.), one = constant<Number>(1.);
  Number dX[3][n_derivatives], flux[3][n_derivatives];
  Number strain[8][6]; // xx, yy, zz, and xy, yz, zx doubled
  Number ratio[8];     // j_0 / j
  Number A[3][3];
  PairSums<Number> M = {{zero, zero, zero, zero}};
  Number S[3][6];
  derivatives_of(X, dX);
  {
    Number du[3][n_derivatives], J[3][3];
    derivatives_of(u, du);
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        J[i][d] = constant<Number>(0.25) *
                  ((dX[i][4 * d] + dX[i][4 * d + 3]) + (dX[i][4 * d + 1] + dX[i][4 * d + 2]));
    adjugate(J, A);
    const Number centre = J[0][0] * A[0][0] + J[0][1] * A[1][0] + J[0][2] * A[2][0];
    STRUT_UNROLL
    for (int q = 0; q < 8; ++q)
      {
        Number H[3][3], adj[3][3];
        at_point(q, dX, J);
        at_point(q, du, H);
        adjugate(J, adj);
        const Number scale =
          reciprocal(J[0][0] * adj[0][0] + J[0][1] * adj[1][0] + J[0][2] * adj[2][0]);
        STRUT_UNROLL
        for (int i = 0; i < 3; ++i)
          {
            const int j = (i + 1) % 3;
            strain[q][i] =
              scale * (H[i][0] * adj[0][i] + H[i][1] * adj[1][i] + H[i][2] * adj[2][i]);
            strain[q][3 + i] =
              scale * (H[i][0] * adj[0][j] + H[i][1] * adj[1][j] + H[i][2] * adj[2][j] +
                       H[j][0] * adj[0][i] + H[j][1] * adj[1][i] + H[j][2] * adj[2][i]);
          }
        ratio[q] = centre * scale;
        M.add(q, ratio[q]);
        STRUT_UNROLL
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 6; ++k)
            S[i][k] = q == 0            ? -strain[q][k]
                      : sign(i, q) == 1 ? S[i][k] + strain[q][k]
                                        : S[i][k] - strain[q][k];
      }
  }

  // alpha, with mu = 1: what is left of the material is lambda / mu
  Number T[3][6];
  {
    const Number lambda = material.lambda * reciprocal(material.mu);
    Number L[n_lower], alpha[n];
    stiffness_of_modes(A, M, lambda, one, L);
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
          of_mode[c] = material.mu * alpha[3 * i + c];
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

  STRUT_UNROLL
  for (int q = 0; q < 8; ++q)
    {
      Number J[3][3], adj[3][3], stress[6], sigma[3][3];
      at_point(q, dX, J);
      adjugate(J, adj);
      STRUT_UNROLL
      for (int k = 0; k < 6; ++k) // of the modes; alpha has the other sign
        {
          const Number last = sign(2, q) == 1 ? T[2][k] : -T[2][k];
          const Number two  = sign(1, q) == 1 ? last + T[1][k] : last - T[1][k];
          stress[k]         = -ratio[q] * (sign(0, q) == 1 ? two + T[0][k] : two - T[0][k]);
        }
      const Number pressure = material.lambda * (strain[q][0] + strain[q][1] + strain[q][2]);
      STRUT_UNROLL
      for (int i = 0; i < 3; ++i)
        {
          const int j = (i + 1) % 3;
          sigma[i][i] = multiply_add(material.mu + material.mu, strain[q][i], stress[i] + pressure);
          sigma[i][j] = sigma[j][i] = multiply_add(material.mu, strain[q][3 + i], stress[3 + i]);
        }
      add_flux(q, sigma, adj, flux);
    }
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    transposed_derivatives(flux[i], f[i]);
}

/// f = K0 u as a formulation says. @param factor  of the stiffness, which may be 0
template <Formulation formulation, typename Number, typename Reciprocal = Division>
STRUT_HOST_DEVICE void element_product(const WeightedMaterial<Number> &material,
                                       const Number factor,
                                       const Number (&X)[3][8],
                                       const Number (&u)[3][8],
                                       Number (&f)[3][8],
                                       const Reciprocal &reciprocal = Reciprocal())
{
  if constexpr (formulation == Formulation::incompatible_modes)
    {
      apply_with_modes(material, X, u, f, reciprocal);
      STRUT_UNROLL
      for (int i = 0; i < 3; ++i)
        for (int v = 0; v < 8; ++v)
          f[i][v] = factor * f[i][v];
    }
  else
    apply_stiffness<formulation == Formulation::mean_dilatation ? VolumetricIntegration::mean
                                                                : VolumetricIntegration::full>(
      material.times(factor), X, u, f, reciprocal);
}
} // namespace on_the_fly
} // namespace hexahedron
} // namespace strut
