// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

#include "plugin/deck/output/von_mises.h"

namespace strut
{
/// The largest von Mises stress at the eight corners of an element: the stress of its solid times
/// its stiffness factor. The components of the stress are extrapolated trilinearly from the 2x2x2
/// Gauss points. They include the strains of incompatible modes, and thus the bending that the
/// centre misses. In a wall with n layers of elements, centres have 1 - 1/n of the stress at the
/// surface.
///
/// @param displacement  `[3 * n_nodes]`, including ghosts
double largest_corner_stress(const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             double stiffness,
                             const std::vector<double> &displacement,
                             std::size_t element);
} // namespace strut
