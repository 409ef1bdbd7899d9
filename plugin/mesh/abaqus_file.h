// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

#include "plugin/mesh/file_mesh.h"

namespace strut::plugin
{
/// Read the text of an Abaqus file: a flat one, or parts and their instances in an assembly, each moved and
/// turned to its place. Nodes of two instances stay two nodes where they coincide.
///
/// Sets of solids, and instances where there are several, become groups of cells; surfaces and sets of
/// shells groups of faces; sets of nodes groups of nodes. A name that several instances have gets that of
/// the instance in front: `left-1.bolts`. The name EB7 of Cubit is the number 7 as well, SS5 the number 5;
/// other groups are numbered as they come.
/// @throws MeshFileError
FileMesh read_abaqus(const std::string &text);
} // namespace strut::plugin
