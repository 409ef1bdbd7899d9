// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron_geometry.h"

#include <strut/base/host_device.h>
#include <strut/element/elasticity_matrix.h>

namespace strut
{
namespace hexahedron
{
/// The two directions of each shear entry in Voigt's notation.
struct ShearDirections
{
  int of[3][2] = {{1, 2}, {0, 2}, {0, 1}};
};

/// Sets stress[i] to the stress of the displacement `N e_i`, for a function N with the gradient g.
STRUT_HOST_DEVICE inline void
unit_stresses(const ElasticityMatrix &solid, const double (&g)[3], double (&stress)[3][6])
{
  const ShearDirections shear;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 6; ++k)
      {
        stress[i][k] = solid.C[k][i] * g[i];
        for (int s = 0; s < 3; ++s)
          for (int end = 0; end < 2; ++end)
            if (shear.of[s][end] == i)
              stress[i][k] += solid.C[k][3 + s] * g[shear.of[s][1 - end]];
      }
}

/// Returns the product stress : strain with the strain of the displacement `N e_j`, for a function
/// N with the gradient g.
STRUT_HOST_DEVICE inline double work(const double (&stress)[6], const double (&g)[3], const int j)
{
  const ShearDirections shear;
  double sum = stress[j] * g[j];
  for (int s = 0; s < 3; ++s)
    for (int end = 0; end < 2; ++end)
      if (shear.of[s][end] == j)
        sum += stress[3 + s] * g[shear.of[s][1 - end]];
  return sum;
}

/// Computes the three rows of the stiffness matrix of vertex `a` for any solid: `int B_a^T C B_b`
/// with the strains B_v of unit displacements of a vertex. They are symmetric to the last bit.
///
/// @param X  vertex coordinates, `[3][8]`
/// @param solid_at  `solid_at(q)`, the ElasticityMatrix at Gauss point q
/// @param K  result, `[3][24]`, column = 3 * vertex + component
template <typename SolidAt>
STRUT_HOST_DEVICE void stiffness_rows_by_points(const double (&X)[3][8],
                                                const SolidAt &solid_at,
                                                const int a,
                                                double (&K)[3][24])
{
  for (int i = 0; i < 3; ++i)
    for (int column = 0; column < 24; ++column)
      K[i][column] = 0.;
  for (int q = 0; q < 8; ++q)
    {
      const ElasticityMatrix &solid = solid_at(q);
      double G[3][8], ga[3] = {}, of_a[3][6];
      const double dx = gradients(X, q, G);
      for (int v = 0; v < 8; ++v) // avoids a run-time index into registers
        for (int i = 0; i < 3; ++i)
          ga[i] += v == a ? G[i][v] : 0.;
      unit_stresses(solid, ga, of_a);
      for (int b = 0; b < 8; ++b)
        {
          const double gb[3] = {G[0][b], G[1][b], G[2][b]};
          double of_b[3][6];
          unit_stresses(solid, gb, of_b);
          // the mean of both orders of summation, so that blocks (a, b) and (b, a) get the same
          // bits
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              K[i][3 * b + j] += 0.5 * dx * (work(of_a[i], gb, j) + work(of_b[j], ga, i));
        }
    }
}

/// One solid at all points.
struct OneSolid
{
  const ElasticityMatrix &solid;

  STRUT_HOST_DEVICE const ElasticityMatrix &operator()(const int) const
  {
    return solid;
  }
};

STRUT_HOST_DEVICE inline void stiffness_rows(const double (&X)[3][8],
                                             const ElasticityMatrix &solid,
                                             const int a,
                                             double (&K)[3][24])
{
  stiffness_rows_by_points(X, OneSolid{solid}, a, K);
}
} // namespace hexahedron
} // namespace strut
