// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/deck/mesh/file_mesh.h"

namespace strut
{
/// A note on elements that may carry load in another program, but are left out of a mesh of
/// hexahedra. In an Abaqus file with sections, these are its structural elements. Otherwise they
/// are lines and faces that are no edges and faces of hexahedra. The note is empty if there are
/// none.
std::string note_on_left_out(const FileMesh &mesh);
} // namespace strut
