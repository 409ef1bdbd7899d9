// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/mesh/file_mesh.h"

namespace strut::plugin
{
/// A note on elements that may carry load in another program and that a mesh of hexahedra leaves out: those that an Abaqus
/// file gives a section, else lines and faces that are no edges and faces of hexahedra. Empty if there are none.
std::string note_on_left_out(const FileMesh &mesh);
} // namespace strut::plugin
