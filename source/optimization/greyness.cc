// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/greyness.h"

namespace strut
{
double greyness(const Communicator &communicator,
                const ElementMesh &mesh,
                const std::vector<double> &densities)
{
  double sums[2] = {0., 0.}; // grey, all
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      {
        sums[0] += mesh.volumes[e] * 4. * densities[e] * (1. - densities[e]);
        sums[1] += mesh.volumes[e];
      }
  communicator.sum(sums, 2);
  return sums[1] > 0. ? sums[0] / sums[1] : 0.;
}
} // namespace strut
