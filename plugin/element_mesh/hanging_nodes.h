// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

#include <map>
#include <vector>

#include "plugin/element_mesh/cell_order.h"

namespace strut::plugin
{
/// The vertices of each hanging node of a mesh of one rank, all with the same weight: the two ends of the edge, or the
/// four corners of the face, that it is the middle of. By the numbers of vertices in the triangulation.
///
/// @param cells  that make up the mesh: leaves of the tree of cells, cut off at some level
std::map<unsigned int, std::vector<unsigned int>>
find_hanging_nodes(const dealii::Triangulation<3, 3> &triangulation,
                   const std::vector<CellPlace> &cells);

/// The dependent DoFs of hanging nodes. Those that are constrained already stay so; masters that are constrained drop
/// out, those that hang give way to theirs.
///
/// @param node_of  by the number of a vertex
AffineRows hanging_rows(const std::map<unsigned int, std::vector<unsigned int>> &hanging,
                        const std::vector<LocalIndex> &node_of,
                        const ElementMesh &mesh);
} // namespace strut::plugin
