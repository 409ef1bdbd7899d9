// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron.h"
#include <strut/base/host_device.h>
#include <strut/element/elasticity_matrix.h>
#include <strut/element/material.h>

#include <cmath>

namespace strut
{
/// A symmetric stress tensor: xx, yy, zz, xy, yz, zx; force per area.
struct Stress
{
  double component[6];
};

/// Computes `gradient[i][j] = du_i / dx_j` from `J[i][d] = dx_i / dxi_d` and
/// `D[i][d] = du_i / dxi_d`.
STRUT_HOST_DEVICE inline void
displacement_gradient(const double (&J)[3][3], const double (&D)[3][3], double (&gradient)[3][3])
{
  double inverse[3][3]; // inverse[d][i] = dxi_d / dx_i
  hexahedron::invert(J, inverse);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      {
        gradient[i][j] = 0.;
        for (int d = 0; d < 3; ++d)
          gradient[i][j] += D[i][d] * inverse[d][j];
      }
}

/// Stress of the solid from `J[i][d] = dx_i / dxi_d` and `D[i][d] = du_i / dxi_d`. Corresponding
/// columns of both may be scaled by the same number.
STRUT_HOST_DEVICE inline Stress
stress_of(const Material &material, const double (&J)[3][3], const double (&D)[3][3])
{
  double gradient[3][3];
  displacement_gradient(J, D, gradient);

  const double mu       = material.mu();
  const double pressure = material.lambda() * (gradient[0][0] + gradient[1][1] + gradient[2][2]);
  Stress stress;
  for (int i = 0; i < 3; ++i)
    {
      const int j             = (i + 1) % 3;
      stress.component[i]     = pressure + 2. * mu * gradient[i][i];
      stress.component[3 + i] = mu * (gradient[i][j] + gradient[j][i]);
    }
  return stress;
}

/// Stress of an anisotropic solid.
STRUT_HOST_DEVICE inline Stress
stress_of(const ElasticityMatrix &solid, const double (&J)[3][3], const double (&D)[3][3])
{
  double gradient[3][3];
  displacement_gradient(J, D, gradient);
  const double strain[6] = {gradient[0][0],
                            gradient[1][1],
                            gradient[2][2],
                            gradient[1][2] + gradient[2][1],
                            gradient[0][2] + gradient[2][0],
                            gradient[0][1] + gradient[1][0]};
  // index in Voigt's notation of xx, yy, zz, xy, yz, zx
  const int voigt[6] = {0, 1, 2, 5, 3, 4};
  Stress stress;
  for (int k = 0; k < 6; ++k)
    {
      stress.component[k] = 0.;
      for (int l = 0; l < 6; ++l)
        stress.component[k] += solid.C[voigt[k]][l] * strain[l];
    }
  return stress;
}

/// Stress of the solid at a vertex of a trilinear hexahedron. Only the shape functions of the
/// vertex and of its three neighbours have a gradient there. `dx/dxi_d` is the difference to the
/// neighbour in direction d, up to a sign that `du/dxi_d` shares.
///
/// @param X,  u  `[i][0]` at the vertex v, `[i][1 + d]` at its neighbour `v ^ 1 << d`
STRUT_HOST_DEVICE inline Stress
stress_at_vertex(const Material &material, const double (&X)[3][4], const double (&u)[3][4])
{
  double J[3][3], D[3][3];
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d)
      {
        J[i][d] = X[i][1 + d] - X[i][0];
        D[i][d] = u[i][1 + d] - u[i][0];
      }
  return stress_of(material, J, D);
}

/// The equivalent stress of von Mises. It uses differences, so that a large mean stress causes no
/// cancellation.
STRUT_HOST_DEVICE inline double von_mises(const Stress &stress)
{
  double sum = 0.;
  for (int i = 0; i < 3; ++i)
    {
      const double difference = stress.component[i] - stress.component[(i + 1) % 3];
      const double shear      = stress.component[3 + i];
      sum += 0.5 * difference * difference + 3. * shear * shear;
    }
  return std::sqrt(sum);
}
} // namespace strut
