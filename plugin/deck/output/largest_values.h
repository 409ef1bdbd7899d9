// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

#include "plugin/deck/output/von_mises.h"

namespace strut
{
/// Largest stresses and displacement of a load case.
struct LargestValues
{
  /// Von Mises stress at centres of elements; it misses the bending of thin walls.
  double stress        = 0.;
  double corner_stress = 0.; ///< von Mises stress at corners of elements: largest_corner_stress()
  double displacement  = 0.; ///< largest length of the vector at a node
};

/// Returns the stiffness factors of a design's elements, with 0 for densities below
/// DesignPiece::least_density.
std::vector<double> stiffness_of_design(std::vector<double> stiffness,
                                        const std::vector<double> &densities,
                                        int n_threads);

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
