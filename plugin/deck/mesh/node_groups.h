// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/mesh/coarse_mesh.h"
#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/mesh_sets.h"

#include <vector>

namespace strut
{
/// Makes sets of the coarse mesh of hexahedra from the groups of nodes of a file and from its names
/// that select nothing.
/// @param vertex_of  vertex of the coarse mesh at each point of the file, or FileMesh::none
/// @param may_be_refined  whether doubts about sets that grow are counted
void add_node_groups(const FileMesh &mesh,
                     const std::vector<unsigned int> &vertex_of,
                     const CoarseMesh &coarse,
                     bool may_be_refined,
                     MeshSets &sets);
} // namespace strut
