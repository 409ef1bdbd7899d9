// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>

namespace strut::plugin
{
/// Bytes of host memory that deal.II's triangulation takes at least for a hexahedron, seen with 9.4: 606 to
/// 830, neighbours, faces and lines included.
constexpr double bytes_of_hexahedron = 600.;
/// Bytes that strut's own arrays take for an element of a deck while they are made, levels of multigrid
/// included; the coarse mesh is deal.II's where it is refined.
constexpr double bytes_of_deck_element = 200.;
/// Bytes that a cell of a mesh that is not refined takes besides, seen: 430 to 540 in all.
constexpr double bytes_of_flat_cell = 200.;
/// As bytes_of_hexahedron for the 24 tetrahedra that a hexahedron is cut into, seen: 13.2 to 13.9 kB.
constexpr double bytes_of_cut_hexahedron = 13e3;

/// Whether the host has that much memory free for a mesh. @return what to say if not; else nothing
std::string mesh_does_not_fit(double n_elements, double bytes_per_element);

/// The same of a mesh that is about to be refined everywhere.
/// @throws EntryError (Mesh / Additional refinements) if it does not fit
void require_room_to_refine(std::size_t n_cells,
                            unsigned int refinements,
                            double bytes_per_element);
} // namespace strut::plugin
