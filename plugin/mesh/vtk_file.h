// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/mesh/file_mesh.h"

namespace strut::plugin
{
/// Read the text of a legacy VTK file: ASCII, UNSTRUCTURED_GRID, of versions 1 to 5, with the conventions of
/// deal.II.
///
/// The cell data MaterialID, as SCALARS or in a FIELD, are material ids of solids and boundary ids of faces:
/// groups without names. Other data are passed over, ManifoldID among them; cells of lower dimension, too.
/// @throws MeshFileError
FileMesh read_vtk(const std::string &text);
} // namespace strut::plugin
