// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/mesh/mesh_source.h"

namespace strut::plugin
{
// One function for each source: mesh_sources.cc is the only file that needs them, so the classes
// stay in their .cc files.
std::unique_ptr<MeshSource> make_box();

std::unique_ptr<MeshSource> make_l_beam();

std::unique_ptr<MeshSource> make_michell();

std::unique_ptr<MeshSource> make_connecting_rod();

std::unique_ptr<MeshSource> make_hollow_cylinder();

std::unique_ptr<MeshSource> make_mesh_file();
} // namespace strut::plugin
