// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

#include "plugin/deck/output/von_mises.h"

namespace strut::plugin
{
/// The largest von Mises stress at the eight corners of an element, of its solid times its stiffness factor. Each component of
/// the stress goes on from the 2x2x2 Gauss points trilinearly, with the strains of incompatible modes. So it has the bending
/// that the centre misses: of a wall with n layers of elements, centres have 1 - 1/n of the stress at the surface.
///
/// @param displacement  `[3 * n_nodes]`, ghosts included
double largest_corner_stress(const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             double stiffness,
                             const std::vector<double> &displacement,
                             std::size_t element);
} // namespace strut::plugin
