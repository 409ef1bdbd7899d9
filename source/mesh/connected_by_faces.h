// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The nodes of face f = 2 d + s of an element, which is at `xi_d = s`.
std::array<LocalIndex, 4> nodes_of_face(const ElementMesh &mesh, std::size_t e, unsigned int f);

/// Which elements are connected by faces, and by faces that AffineRows tie, on this rank.
///
/// Almost all neighbours are oriented alike. Then the lowest vertex of the upper one is a node of the lower one, so that
/// a number per node finds them, which their common nodes confirm. The other faces, at boundaries and between cells that
/// are turned, look among the elements around one of their nodes. Memory in between: 4 bytes per node and 5 per element, and 8
/// and 32 of those for the other faces.
///
/// @param mesh  at most two elements have a face, and no element has a node twice
/// @param counts  `[n_elements]`, 1 or 0: elements that connect
/// @return `[n_elements]`, the least element that is connected with each; itself where it does not count
std::vector<LocalIndex>
connected_by_faces(const ElementMesh &mesh, const std::vector<std::uint8_t> &counts, int n_threads);
} // namespace strut
