// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>

namespace strut
{
/// The vertices of a tetrahedron in the place of those of a hexahedron. Four of its faces are the
/// triangles, each with one vertex twice; the faces 3 and 5 have no area. The edge between the last
/// two vertices occurs twice, as the edges 10 and 11 of iso_cell.h; the other five occur once.
constexpr unsigned int collapsed_vertices[8] = {0, 1, 2, 2, 3, 3, 3, 3};

/// Returns the elements of a mesh as hexahedra of eight nodes, for surfaces: those between their
/// vertices, with straight lines. Tetrahedra become collapsed hexahedra. Nodes keep their numbers;
/// those that are no vertices belong to no element. Volumes are those of the straight elements,
/// except for tetrahedra, which keep theirs.
ElementMesh hexahedra_of_vertices(ElementMesh mesh);

/// Whether a hexahedron of such a mesh is a tetrahedron.
inline bool is_collapsed(const ElementMesh &mesh, const std::size_t e)
{
  return mesh.node(e, 2) == mesh.node(e, 3);
}
} // namespace strut
