// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/anisotropic_stiffness.h"
#include "source/element/element_product.h"

#include <strut/base/host_device.h>

namespace strut
{
namespace hexahedron
{
/// The index of entry ij of a symmetric matrix in Voigt's notation among the components of a
/// tangent (n_tangent_components).
STRUT_HOST_DEVICE constexpr int tangent_component(const int i, const int j)
{
  const int low = i < j ? i : j, high = i < j ? j : i;
  return 6 * low - low * (low - 1) / 2 + high - low;
}

namespace on_the_fly
{
/// An element with a tangent at each Gauss point: `tangent(q, k)` is component k at point q.
template <typename Tangent>
struct TangentSolid
{
  Tangent tangent;

  STRUT_HOST_DEVICE ElasticityMatrix operator()(const int q) const
  {
    ElasticityMatrix solid;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        solid.C[i][j] = static_cast<double>(tangent(q, tangent_component(i, j)));
    return solid;
  }
};

/// Additions, multiplications and divisions of apply_tangents().
constexpr double tangent_flops = 6 * 72. + 8 * 213. + 3 * 77.;

/// Computes f = K0 u of a TangentSolid like apply_stiffness(), with the stress
/// `sigma_I = sum_J C_IJ eps_J`.
template <typename Number, typename Tangent, typename Reciprocal = Division>
STRUT_HOST_DEVICE void apply_tangents(const Tangent &tangent,
                                      const Number (&X)[3][8],
                                      const Number (&u)[3][8],
                                      Number (&f)[3][8],
                                      const Reciprocal &reciprocal = Reciprocal())
{
  Number dX[3][n_derivatives], du[3][n_derivatives], flux[3][n_derivatives];
  derivatives_of(X, dX);
  derivatives_of(u, du);
  const Number weight = constant<Number>(WeightedMaterial<Number>::weight());

  STRUT_UNROLL
  for (int q = 0; q < 8; ++q)
    {
      Number J[3][3], H[3][3], adj[3][3], strain[6], stress[6], sigma[3][3];
      at_point(q, dX, J);
      at_point(q, du, H);
      strain_of(J, H, adj, strain, reciprocal);
      STRUT_UNROLL
      for (int i = 0; i < 6; ++i)
        strain[i] = weight * strain[i];

      // the strains xy, yz, zx of strain_of() are the entries 6, 4, 5 of Voigt's notation; each
      // number is read once
      const auto number = [&](const int i, const int j) {
        return tangent(q,
                       tangent_component(i < 3 ? i : 3 + (i + 2) % 3, j < 3 ? j : 3 + (j + 2) % 3));
      };
      STRUT_UNROLL
      for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j)
          {
            const Number C = number(i, j);
            if (i == 0)
              stress[j] = C * strain[0];
            else
              stress[j] = multiply_add(C, strain[i], stress[j]);
            if (i < j)
              stress[i] = multiply_add(C, strain[j], stress[i]);
          }
      STRUT_UNROLL
      for (int i = 0; i < 3; ++i)
        {
          const int j = (i + 1) % 3;
          sigma[i][i] = stress[i];
          sigma[i][j] = sigma[j][i] = stress[3 + i];
        }
      add_flux(q, sigma, adj, flux);
    }

  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    transposed_derivatives(flux[i], f[i]);
}

/// Computes the diagonal blocks of K0, `[6][8]`, in the layout of those of a Material.
template <typename Tangent>
STRUT_HOST_DEVICE void stiffness_blocks(const TangentSolid<Tangent> &solid,
                                        const double (&X)[3][8],
                                        double (&blocks)[6][8])
{
  for (int k = 0; k < 6; ++k)
    for (int v = 0; v < 8; ++v)
      blocks[k][v] = 0.;
  for (int q = 0; q < 8; ++q)
    {
      const ElasticityMatrix at_q = solid(q);
      double G[3][8];
      const double dx = gradients(X, q, G);
      for (int v = 0; v < 8; ++v)
        {
          const double g[3] = {G[0][v], G[1][v], G[2][v]};
          double stress[3][6];
          unit_stresses(at_q, g, stress);
          for (int i = 0, k = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j, ++k)
              blocks[k][v] += dx * work(stress[i], g, j);
        }
    }
}
} // namespace on_the_fly
} // namespace hexahedron
} // namespace strut
