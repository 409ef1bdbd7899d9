// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "source/assembly/connectivity.h"

namespace strut
{
/// Writes a mesh of any element type with displacements at its nodes, for ParaView, in VTK's legacy
/// binary format. The file is written completely or not at all. Quadratic elements keep their
/// midpoints.
/// @param displacement  `[3 * n_nodes]`
/// @throws Error if the file cannot be written
void write_displacement(const std::string &file_name,
                        const AssemblyMesh &mesh,
                        const std::vector<double> &displacement);
} // namespace strut
