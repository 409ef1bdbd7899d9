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

/// Of apply_with_modes(): 213 and 374 at each Gauss point, 865 for the coefficients.
constexpr double flops_with_modes = 9 * 24. + 8 * (213. + 374.) + 865.;

/// Additions, multiplications and divisions of a product, a fused multiply-add is two.
inline double flops_of(const Material &material)
{
  return material.has_mean_dilatation()      ? flops + 8 * 45.
         : material.has_incompatible_modes() ? flops_with_modes
                                             : flops;
}

/// Gauss coordinates of a point, and their signs.
template <typename Number>
struct GaussSigns
{
  Number sign[3], coordinate[3];

  STRUT_HOST_DEVICE explicit GaussSigns(const int q)
  {
    STRUT_UNROLL
    for (int d = 0; d < 3; ++d)
      {
        sign[d]       = constant<Number>(incompatible_modes::sign(d, q));
        coordinate[d] = constant<Number>(gauss_coordinate()) * sign[d];
      }
  }

  /// Four times the reference derivatives of all components, `[component][direction]`, from their coefficients.
  STRUT_HOST_DEVICE void derivatives(const Number (&h)[3][8], Number (&values)[3][3]) const
  {
    const Number(&g)[3] = coordinate;
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      {
        values[i][0] = multiply_add(g[2],
                                    multiply_add(g[1], h[i][7], h[i][5]),
                                    multiply_add(g[1], h[i][3], h[i][1]));
        values[i][1] = multiply_add(g[2],
                                    multiply_add(g[0], h[i][7], h[i][6]),
                                    multiply_add(g[0], h[i][3], h[i][2]));
        values[i][2] = multiply_add(g[1],
                                    multiply_add(g[0], h[i][7], h[i][6]),
                                    multiply_add(g[0], h[i][5], h[i][4]));
      }
  }

  /// The transpose, added.
  STRUT_HOST_DEVICE void add_transposed(const Number (&values)[3][3], Number (&h)[3][8]) const
  {
    const Number(&g)[3] = coordinate;
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      {
        const Number of_7 = multiply_add(g[2], values[i][1], g[1] * values[i][2]);
        h[i][1]           = h[i][1] + values[i][0];
        h[i][2]           = h[i][2] + values[i][1];
        h[i][4]           = h[i][4] + values[i][2];
        h[i][3] = multiply_add(g[1], values[i][0], multiply_add(g[0], values[i][1], h[i][3]));
        h[i][5] = multiply_add(g[2], values[i][0], multiply_add(g[0], values[i][2], h[i][5]));
        h[i][6] = h[i][6] + of_7;
        h[i][7] = multiply_add(g[1] * g[2], values[i][0], multiply_add(g[0], of_7, h[i][7]));
      }
  }
};

/// body(GaussSigns) at all points. In float a GPU's registers hold what points share, once the loop is written out; in double they
/// are too few.
template <typename Number, typename Body>
STRUT_HOST_DEVICE void for_each_point(const Body &body)
{
#ifdef __CUDA_ARCH__
#  pragma unroll(sizeof(Number) == 4 ? 8 : 1)
#endif
  for (int q = 0; q < 8; ++q)
    body(GaussSigns<Number>(q));
}

/// Strain from `H = grad_ref u` and J: xx, yy, zz, and xy, yz, zx doubled; and adj(J). @return 1 / det(J)
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

/// The stresses T_i of `alpha_i (x) A_i`. @param S  sums of strains
template <typename Number, typename Reciprocal>
STRUT_HOST_DEVICE void mode_stresses(const WeightedMaterial<Number> &material,
                                     const Number (&A)[3][3],
                                     const incompatible_modes::PairSums<Number> &M,
                                     const Number (&S)[3][6],
                                     Number (&T)[3][6],
                                     const Reciprocal &reciprocal)
{
  using namespace incompatible_modes;
  // with mu = 1: what is left of the material is lambda / mu
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

/// f = K0 u with incompatible modes (incompatible_modes.h). Two walks over the Gauss points: the first one collects the strains,
/// `S_i = sum_q s_i eps`, and `M_ik` up to a factor; from them come the coefficients `alpha = -K_aa^-1 K_au u`,
///
///     (K_au u)_i = sigma(S_i) A_i,   A = adj(J) at the centre, which stands for G: the factor cancels,
///
/// and the stresses T_i of `alpha_i (x) A_i`. The second one has the stress `sigma(eps) + j_0 / j sum_i s_i T_i`.
///
/// Between points there are 7 coefficients per component alone, of X, u and f.
///
/// About 5,800 operations, a fused multiply-add is two: three times those of the trilinear element.
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
  const Number zero = constant<Number>(0.);
  Number of_X[3][8], of_u[3][8], of_f[3][8], A[3][3], S[3][6];
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      STRUT_UNROLL
      for (int v = 0; v < 8; ++v)
        {
          of_X[i][v] = X[i][v];
          of_u[i][v] = u[i][v];
          of_f[i][v] = zero;
        }
      to_coefficients(of_X[i]);
      to_coefficients(of_u[i]);
      STRUT_UNROLL
      for (int k = 0; k < 6; ++k)
        S[i][k] = zero;
    }
  const Number centre_J[3][3] = {{of_X[0][1], of_X[0][2], of_X[0][4]},
                                 {of_X[1][1], of_X[1][2], of_X[1][4]},
                                 {of_X[2][1], of_X[2][2], of_X[2][4]}};
  adjugate(centre_J, A);
  const Number centre =
    centre_J[0][0] * A[0][0] + centre_J[0][1] * A[1][0] + centre_J[0][2] * A[2][0];

  PairSums<Number> M = {{zero, zero, zero, zero}};
  for_each_point<Number>([&](const GaussSigns<Number> &point) {
    Number J[3][3], H[3][3], adj[3][3], strain[6];
    point.derivatives(of_X, J);
    point.derivatives(of_u, H);
    M.add(point.sign, centre * strain_of(J, H, adj, strain, reciprocal));
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 6; ++k)
        S[i][k] = multiply_add(point.sign[i], strain[k], S[i][k]);
  });
  // add_transposed() leaves no factor, and the weights count on one
  const WeightedMaterial<Number> weighted = material.times(constant<Number>(gauss_coordinate()));
  Number T[3][6];
  mode_stresses(weighted, A, M, S, T, reciprocal);

  for_each_point<Number>([&](const GaussSigns<Number> &point) {
    Number J[3][3], H[3][3], adj[3][3], strain[6], sigma[3][3];
    point.derivatives(of_X, J);
    point.derivatives(of_u, H);
    const Number ratio    = -centre * strain_of(J, H, adj, strain, reciprocal);
    const Number pressure = weighted.lambda * (strain[0] + strain[1] + strain[2]);
    const auto of_modes   = [&](const int k) { // alpha has the other sign
      return ratio * multiply_add(point.sign[0],
                                  T[0][k],
                                  multiply_add(point.sign[1], T[1][k], point.sign[2] * T[2][k]));
    };
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      {
        const int j = (i + 1) % 3;
        sigma[i][i] = multiply_add(weighted.mu + weighted.mu, strain[i], of_modes(i) + pressure);
        sigma[i][j] = sigma[j][i] = multiply_add(weighted.mu, strain[3 + i], of_modes(3 + i));
      }
    STRUT_UNROLL
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        H[i][d] = multiply_add(sigma[i][2],
                               adj[d][2],
                               multiply_add(sigma[i][1], adj[d][1], sigma[i][0] * adj[d][0]));
    point.add_transposed(H, of_f);
  });
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      to_vertices(of_f[i], constant<Number>(1.));
      STRUT_UNROLL
      for (int v = 0; v < 8; ++v)
        f[i][v] = of_f[i][v];
    }
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
