// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>
#include <strut/element/material_ratios.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The materials of the elements. Both references must outlive it.
struct SolidsOfElements
{
  SolidsOfElements(const Material &material, const MaterialRatios &ratios = MaterialRatios::none())
    : material(material), ratios(ratios)
  {}

  const Material &material;
  const MaterialRatios &ratios;
};

/// Von Mises stress at the centre (1/2, 1/2, 1/2) of an element: sqrt(3/2 s : s), where s is the
/// deviator of the stress. The stress is that of its solid times its stiffness factor.
///
/// @param displacement  `[3 * n_nodes]`, including ghosts
double von_mises_stress(const ElementMesh &mesh,
                        const SolidsOfElements &solids,
                        double stiffness,
                        const std::vector<double> &displacement,
                        std::size_t element);
} // namespace strut
