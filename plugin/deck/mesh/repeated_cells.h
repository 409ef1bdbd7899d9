// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/mesh/file_mesh.h"

namespace strut
{
/// Merges cells that occur once for each of several groups, as format 2 of Gmsh writes them. The
/// merged cell is in all of these groups. Cells that occur twice in one group, or in none, stay.
void merge_repeated_cells(FileMesh &mesh);
} // namespace strut
