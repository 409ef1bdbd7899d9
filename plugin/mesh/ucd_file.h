// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/mesh/file_mesh.h"

namespace strut::plugin
{
/// Read the text of a UCD file of AVS, in ASCII, with the conventions of deal.II.
///
/// The second number of a hexahedron or tetrahedron is its material id, that of a quadrilateral or triangle
/// its boundary id: groups without names. Points and lines are checked and passed over, data likewise.
/// @throws MeshFileError
FileMesh read_ucd(const std::string &text);
} // namespace strut::plugin
