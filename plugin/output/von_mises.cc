// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "plugin/output/von_mises.h"
#include "source/element/hexahedron.h"

#include <cmath>

namespace strut::plugin
{
std::vector<double> von_mises_stress(const ElementMesh &mesh,
                                     const Material &material,
                                     const std::vector<double> &stiffness,
                                     const std::vector<double> &displacement)
{
  std::vector<double> stress(mesh.n_elements);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      // J[i][d] = dx_i / dxi_d and D[i][d] = du_i / dxi_d
      double J[3][3] = {};
      double D[3][3] = {};
      for (int v = 0; v < 8; ++v)
        {
          const std::size_t node =
            mesh.connectivity[static_cast<std::size_t>(v) * mesh.n_elements + e];
          for (int d = 0; d < 3; ++d)
            {
              const double g = hexahedron::reference_gradient(v, d, 0.5, 0.5, 0.5);
              for (std::size_t i = 0; i < 3; ++i)
                {
                  J[i][d] += mesh.coordinates[i * mesh.n_nodes + node] * g;
                  D[i][d] += displacement[3 * node + i] * g;
                }
            }
        }
      double inverse[3][3];
      hexahedron::invert(J, inverse);

      double gradient[3][3] = {};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int d = 0; d < 3; ++d)
            gradient[i][j] += D[i][d] * inverse[d][j];

      // The deviator knows the shear modulus only: s = 2 mu dev(eps).
      const double mean    = (gradient[0][0] + gradient[1][1] + gradient[2][2]) / 3.;
      double strain_square = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          {
            const double strain = 0.5 * (gradient[i][j] + gradient[j][i]) - (i == j ? mean : 0.);
            strain_square += strain * strain;
          }
      stress[e] = stiffness[e] * 2. * material.mu() * std::sqrt(1.5 * strain_square);
    }
  return stress;
}
} // namespace strut::plugin
