// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

#include <string>
#include <vector>

#include "plugin/deck/mesh/coarse_mesh.h"
#include "plugin/deck/problem/region_sections.h"

namespace strut
{
/// The factor by which a wall of trilinear hexahedra is too stiff in bending out of its plane.
///
/// The faces of elements stay straight in bending, so the elements shear. The energy of the shear
/// relative to that of bending is `(1 - nu) / 2 (edge / thickness)^2`, for any number of layers.
/// Strains across the wall are constant in each layer, while those of bending are linear. Their
/// excess is proportional to one over the square of the number of layers.
/// @param edge  edge of the elements along the wall
double
wall_bending_factor(const Material &material, double edge, double thickness, unsigned int n_layers);

/// A mesh whose walls are looked at. The references must outlive it.
struct MeshOfWalls
{
  const CoarseMesh &coarse;
  unsigned int n_refinements; ///< number of levels from the coarse cells to the elements
  const Material &material;
  std::vector<SymmetryPlanes::Plane> planes;
  double longest_edge; ///< longest edge of the elements
  double tolerance;
};

/// The NOTE on walls that are much too stiff in bending, or nothing. A wall lies between two
/// boundary faces with opposite normals. Behind a plane of symmetry lies its other half.
std::string note_on_walls(const MeshOfWalls &mesh);

/// The NOTE on walls with fewer layers than stresses at centres of elements need, or nothing. It
/// includes walls of elements that bend correctly.
std::string note_on_layers(const MeshOfWalls &mesh);
} // namespace strut
