// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut::plugin
{
/// Von Mises stress at the centre (1/2, 1/2, 1/2) of an element: sqrt(3/2 s : s) with s the deviator of
/// the stress, of the material times the element's stiffness factor.
///
/// @param displacement  `[3 * n_nodes]`, ghosts included
double von_mises_stress(const ElementMesh &mesh,
                        const Material &material,
                        double stiffness,
                        const std::vector<double> &displacement,
                        std::size_t element);
} // namespace strut::plugin
