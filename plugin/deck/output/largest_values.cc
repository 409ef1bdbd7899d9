// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/largest_values.h"

#include <algorithm>
#include <cmath>

#include "plugin/deck/output/corner_stress.h"
#include "source/base/parallel_loop.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
std::vector<double> stiffness_of_design(std::vector<double> stiffness,
                                        const std::vector<double> &densities,
                                        const int n_threads)
{
  cpu::parallel_for(n_threads, stiffness.size(), [&](const std::size_t e) {
    if (densities[e] < DesignPiece::least_density)
      stiffness[e] = 0.;
  });
  return stiffness;
}

LargestValues largest_values(const Communicator &communicator,
                             const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             const std::vector<double> &stiffness,
                             const std::vector<double> &displacement,
                             const int n_threads)
{
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    LargestValues largest; // displacement holds the square here
    for (std::size_t e = begin; e < end; ++e)
      if (stiffness[e] > 0.)
        {
          largest.stress =
            std::max(largest.stress, von_mises_stress(mesh, solids, stiffness[e], displacement, e));
          largest.corner_stress =
            std::max(largest.corner_stress,
                     largest_corner_stress(mesh, solids, stiffness[e], displacement, e));
          for (std::size_t v = 0; v < 8; ++v)
            {
              const double *const u =
                &displacement[3 * std::size_t(mesh.connectivity[v * mesh.n_elements + e])];
              largest.displacement =
                std::max(largest.displacement, u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
            }
        }
    return largest;
  };
  LargestValues largest;
  for (const LargestValues &of_this : cpu::values_of_blocks(n_threads, mesh.n_elements, of_block))
    {
      largest.stress        = std::max(largest.stress, of_this.stress);
      largest.corner_stress = std::max(largest.corner_stress, of_this.corner_stress);
      largest.displacement  = std::max(largest.displacement, of_this.displacement);
    }
  return {communicator.max(largest.stress),
          communicator.max(largest.corner_stress),
          communicator.max(std::sqrt(largest.displacement))};
}
} // namespace strut
