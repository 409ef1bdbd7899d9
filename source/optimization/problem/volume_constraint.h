// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/design_volumes.h"

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// The constraint on the volume, in terms of the design elements:
/// `sum over design elements of v_e rho_e = target`. Volumes are over all ranks, in units of the
/// mesh.
struct VolumeConstraint
{
  double design  = 0; ///< volume of the design elements
  double fixed   = 0; ///< material in solid and void elements, at their densities
  double counted = 0; ///< volume that the volume fraction refers to
  double target  = 0; ///< material that the design elements shall hold

  bool count_non_design = true; ///< whether `fixed` is part of the volume

  /// Volume fraction of a design with this much material in design elements.
  double fraction(const double material) const
  {
    return (material + (count_non_design ? fixed : 0.)) / counted;
  }

  /// Material in design elements at these densities. Collective.
  double material(Backend &backend,
                  const Communicator &communicator,
                  const DesignVolumes &volumes,
                  const Array<double> &densities) const
  {
    return communicator.sum(volumes.dot(backend, densities)) - fixed;
  }

  /// The uniform design whose variables meet the constraint, `[n_elements]`. Optimization starts
  /// there if the variables are the densities. Solid elements have density 1, void ones the
  /// minimum.
  std::vector<double> uniform_design(const ElementMesh &mesh, double minimum_density) const
  {
    return uniform_design(mesh, minimum_density, target / design);
  }

  /// The uniform design with this value in all design elements.
  static std::vector<double>
  uniform_design(const ElementMesh &mesh, double minimum_density, double value);

  /// Find the constraint of a mesh. Collective.
  /// @throws Error if nothing is left to design, or if the solid regions alone hold more than the
  ///   fraction allows
  static VolumeConstraint build(const Communicator &communicator,
                                const ElementMesh &mesh,
                                double volume_fraction,
                                double minimum_density,
                                bool count_non_design);
};
} // namespace strut
