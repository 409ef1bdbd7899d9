// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/von_mises.h"

#include <strut/solvers/structure.h>

#include "source/element/stress.h"

namespace strut
{
double von_mises_stress(const ElementMesh &mesh,
                        const SolidsOfElements &solids,
                        const double stiffness,
                        const std::vector<double> &displacement,
                        const std::size_t element)
{
  // J[i][d] = dx_i / dxi_d and D[i][d] = du_i / dxi_d
  double J[3][3] = {};
  double D[3][3] = {};
  for (int v = 0; v < 8; ++v)
    {
      const std::size_t node =
        mesh.connectivity[static_cast<std::size_t>(v) * mesh.n_elements + element];
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
  if (!solids.ratios.anisotropic.empty())
    return stiffness * von_mises(stress_of(solids.ratios.anisotropic.of(element), J, D));
  return stiffness * shear_ratio_of(element, solids.material, solids.ratios) *
         von_mises(stress_of(solids.material, J, D));
}
} // namespace strut
