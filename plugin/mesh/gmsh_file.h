// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/mesh/file_mesh.h"

namespace strut::plugin
{
/// Read the text of a Gmsh file, format 2 or 4.1 in ASCII.
///
/// Physical volumes become groups of cells, physical surfaces groups of faces, physical curves and points
/// with names groups of nodes. A negative physical number turns the faces round.
/// @throws MeshFileError
FileMesh read_gmsh(const std::string &text);
} // namespace strut::plugin
