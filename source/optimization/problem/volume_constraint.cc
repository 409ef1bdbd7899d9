// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/problem/volume_constraint.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "source/base/filled_vector.h"

namespace strut
{
VolumeConstraint VolumeConstraint::build(const Communicator &communicator,
                                         const ElementMesh &mesh,
                                         const double volume_fraction,
                                         const double minimum_density,
                                         const bool count_non_design)
{
  std::array<double, 3> sums = // One sum for each DesignFlag.
    cpu::parallel_sums<3>(cpu::default_n_threads(),
                          mesh.n_elements,
                          [&](const std::size_t e, double(&of_flag)[3]) {
                            of_flag[static_cast<int>(mesh.flags[e])] += mesh.volumes[e];
                          });
  communicator.sum(sums.data(), sums.size());

  VolumeConstraint volume;
  volume.count_non_design = count_non_design;
  volume.design           = sums[0];
  volume.fixed            = sums[1] + minimum_density * sums[2];
  volume.counted          = sums[0] + (count_non_design ? sums[1] + sums[2] : 0.);
  volume.target = volume_fraction * volume.counted - (count_non_design ? volume.fixed : 0.);
  if (volume.design == 0.)
    throw Error("No element is left to design: the solid and void regions cover the whole mesh.",
                Remedy::shrink_non_design_regions);
  if (volume.target < minimum_density * volume.design)
    {
      std::ostringstream text;
      text << "The volume fraction " << volume_fraction
           << " cannot be met: the non-design regions alone fill " << volume.fixed / volume.counted
           << " of the volume"
           << (minimum_density > 0. ? ", and the other elements have the minimum density at least."
                                    : ".");
      throw Error(text.str(), Remedy::raise_volume_fraction);
    }
  volume.target = std::min(volume.target, volume.design);
  return volume;
}

std::vector<double> VolumeConstraint::uniform_design(const ElementMesh &mesh,
                                                     const double minimum_density,
                                                     const double value)
{
  const int n_threads           = cpu::default_n_threads();
  std::vector<double> densities = cpu::filled_vector<double>(n_threads, mesh.n_elements);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    densities[e] = mesh.flags[e] == DesignFlag::design  ? value
                   : mesh.flags[e] == DesignFlag::solid ? 1.
                                                        : minimum_density;
  });
  return densities;
}
} // namespace strut
