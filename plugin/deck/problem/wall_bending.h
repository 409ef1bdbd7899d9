// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

#include <string>
#include <vector>

#include "plugin/deck/mesh/coarse_mesh.h"
#include "plugin/deck/problem/support.h"

namespace strut::plugin
{
/// How many times a wall of trilinear hexahedra is too stiff against bending out of its plane.
///
/// Where a wall bends, its elements shear: their faces stay straight. The energy of that shear against that of the
/// bending is `(1 - nu) / 2 (edge / thickness)^2`: layers do not help. Stretches across the wall are constant in each
/// layer, where those of bending are linear: that counts as one over the square of the layers.
/// @param edge  of the elements, along the wall
double
wall_bending_factor(const Material &material, double edge, double thickness, unsigned int n_layers);

/// The NOTE on walls that bend much too stiffly, or nothing. A wall is what lies between two faces of the boundary that
/// look away from each other; a plane of symmetry has its other half behind it.
/// @param n_refinements  from the coarse cells to the elements
/// @param longest_edge  of the elements
std::string note_on_walls(const CoarseMesh &mesh,
                          unsigned int n_refinements,
                          const Material &material,
                          const std::vector<SymmetryPlanes::Plane> &planes,
                          double longest_edge,
                          double tolerance);

/// The NOTE on walls of fewer layers than stresses at centres of elements take, or nothing: also of elements that bend as they should.
std::string note_on_layers(const CoarseMesh &mesh,
                           unsigned int n_refinements,
                           const Material &material,
                           const std::vector<SymmetryPlanes::Plane> &planes,
                           double longest_edge,
                           double tolerance);
} // namespace strut::plugin
