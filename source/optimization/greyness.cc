// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/greyness.h"

#include <array>

#include "source/base/parallel_loop.h"

namespace strut
{
double greyness(const Communicator &communicator,
                const ElementMesh &mesh,
                const std::vector<double> &densities)
{
  // Sums over grey volume and over all volume.
  const auto add = [&](const std::size_t e, double(&sums)[2]) {
    if (mesh.flags[e] == DesignFlag::design)
      {
        sums[0] += mesh.volumes[e] * 4. * densities[e] * (1. - densities[e]);
        sums[1] += mesh.volumes[e];
      }
  };
  std::array<double, 2> sums =
    cpu::parallel_sums<2>(cpu::default_n_threads(), mesh.n_elements, add);
  communicator.sum(sums.data(), 2);
  return sums[1] > 0. ? sums[0] / sums[1] : 0.;
}
} // namespace strut
