// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Whether the bytes are those of a Gmsh file in binary that begins with its format, as Gmsh writes
/// them.
bool is_binary_gmsh(const std::string &bytes);

/// Returns the text that Gmsh writes for the same mesh in ASCII, so that both are read by the same
/// rules. Numbers keep all of their bits. Sections that read_gmsh() skips are left empty.
/// @param bytes  a binary file, format 2 or 4.1, with the byte order of this machine
/// @throws MeshFileError with the section and the place in bytes: for a file that is cut off,
///   another byte order or data size, nodes with parameters, or elements of unknown types
std::string gmsh_text(const std::string &bytes);
} // namespace strut
