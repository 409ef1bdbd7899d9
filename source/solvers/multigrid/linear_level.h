// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/hierarchy.h>

#include <cstdint>
#include <vector>

namespace strut
{
/// Whether a mesh has a linear level: its elements are quadratic, and no degrees of freedom depend
/// on others, which that level would not know. Collective.
bool has_linear_level(const Communicator &communicator, const ElementMesh &mesh);

/// The level with the linear element on the same mesh: hexahedra of eight nodes for those of 20 and
/// 27, tetrahedra of four for those of ten. Its nodes are the vertices, in their order, and each
/// rank owns those that it owns of the mesh. Constraints are those of the vertices.
///
/// The transfer is the interpolation of the linear element at the nodes of the quadratic one. So
/// its displacements are among the quadratic ones where lines are straight. Each element is its own
/// parent. Collective.
CoarseLevel linear_level(const Communicator &communicator, const ElementMesh &mesh);

/// The places (LatticePlace) of the nodes of a quadratic element in LevelTransfer::parent_nodes of
/// its linear level. Empty for elements that are not quadratic.
///
/// The four vertices of a tetrahedron are at eight places: the ends of a diagonal of the cube have
/// the same vertex. So each of its lines is an edge of the cube.
std::vector<std::uint32_t> places_in_linear_element(const ElementType &type);
} // namespace strut
