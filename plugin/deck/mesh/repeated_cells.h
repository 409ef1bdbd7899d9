// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/mesh/file_mesh.h"

namespace strut::plugin
{
/// Cells that are there once for each of several groups, as format 2 of Gmsh writes them, become one cell in
/// all of these groups. Those that are twice in one group, or in none, are left as they are.
void merge_repeated_cells(FileMesh &mesh);
} // namespace strut::plugin
