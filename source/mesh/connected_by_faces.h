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
/// The nodes at the vertices of face f of an element. For hexahedra `f = 2 d + s` is the face at
/// `xi_d = s`. The last of a triangle occurs twice.
std::array<LocalIndex, 4> nodes_of_face(const ElementMesh &mesh, std::size_t e, unsigned int f);

/// Finds the elements that are connected by faces, or by faces that AffineRows tie, on this rank.
///
/// Almost all neighbours have the same orientation. Then the lowest vertex of the upper one is a
/// node of the lower one. So one number per node finds them, and their common nodes confirm it. The
/// other faces, at boundaries and between rotated cells, are compared with the elements around one
/// of their nodes. It needs temporary memory of 4 bytes per node and 5 per element, and 8 and 32
/// bytes of those for the other faces.
///
/// @param mesh  a face may have at most two elements, and no element a node twice
/// @param counts  `[n_elements]`, 1 or 0: elements that connect
/// @return `[n_elements]`, the lowest connected element of each one; itself where it does not count
std::vector<LocalIndex>
connected_by_faces(const ElementMesh &mesh, const std::vector<std::uint8_t> &counts, int n_threads);
} // namespace strut
