// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/element/solids.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The materials of the elements. Both references must outlive it.
struct SolidsOfElements
{
  SolidsOfElements(const Material &material, const Solids &solids = Solids::none())
    : material(material), solids(solids)
  {}

  const Material &material;
  const Solids &solids;
};

/// Von Mises stress at the centre of an element, the mean of its vertices on the reference element:
/// sqrt(3/2 s : s), where s is the deviator of the stress. The stress is that of its solid times
/// its stiffness factor.
///
/// @param displacement  `[3 * n_nodes]`, including ghosts
double von_mises_stress(const ElementMesh &mesh,
                        const SolidsOfElements &solids,
                        double stiffness,
                        const std::vector<double> &displacement,
                        std::size_t element);

/// The largest von Mises stress at the corners of an element: the stress of its solid times its
/// stiffness factor. Of hex8 the components of the stress are extrapolated trilinearly from the
/// 2x2x2 Gauss points. They include the strains of incompatible modes, and thus the bending that
/// the centre misses. In a wall with n layers of elements, centres have 1 - 1/n of the stress at
/// the surface.
///
/// @param displacement  `[3 * n_nodes]`, including ghosts
double largest_corner_stress(const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             double stiffness,
                             const std::vector<double> &displacement,
                             std::size_t element);

/// Largest stresses and displacement of a load case.
struct LargestValues
{
  /// Von Mises stress at centres of elements; it misses the bending of thin walls.
  double stress        = 0.;
  double corner_stress = 0.; ///< von Mises stress at corners of elements: largest_corner_stress()
  double displacement  = 0.; ///< largest length of the vector at a node
};

/// Computes the largest values of a load case. Collective.
/// @param stiffness  factors, `[n_elements]`; elements with 0 do not count
/// @param displacement  `[3 * n_nodes]`, with ghosts
LargestValues largest_values(const Communicator &communicator,
                             const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             const std::vector<double> &stiffness,
                             const std::vector<double> &displacement,
                             int n_threads);
} // namespace strut
