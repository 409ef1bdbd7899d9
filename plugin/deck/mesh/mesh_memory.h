// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>

namespace strut
{
/// Least bytes of host memory that deal.II's triangulation takes for a hexahedron, with neighbours,
/// faces and lines. Measured with version 9.4: 606 to 830.
constexpr double bytes_of_hexahedron = 600.;
/// Bytes that strut's own arrays take for an element of a deck during set-up, multigrid levels
/// included. A coarse mesh that is refined is deal.II's and does not count here.
constexpr double bytes_of_deck_element = 200.;
/// Additional bytes for a cell of a mesh that is not refined. Measured: 430 to 540 in all.
constexpr double bytes_of_flat_cell = 200.;
/// Bytes of deal.II's triangulation for the 24 tetrahedra that a hexahedron is cut into. Measured:
/// 13.2 to 13.9 kB.
constexpr double bytes_of_cut_hexahedron = 13e3;

/// Checks that the host has memory for a mesh. @return a message if not, else an empty text
std::string mesh_does_not_fit(double n_elements, double bytes_per_element);

/// Throws EntryError (Mesh / Additional refinements) if a mesh does not fit into memory after
/// global refinement.
void require_room_to_refine(std::size_t n_cells,
                            unsigned int refinements,
                            double bytes_per_element);
} // namespace strut
