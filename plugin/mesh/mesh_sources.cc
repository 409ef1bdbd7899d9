// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/mesh/sources.h"

namespace strut::plugin
{
std::vector<std::unique_ptr<MeshSource>> make_mesh_sources()
{
  std::vector<std::unique_ptr<MeshSource>> sources;
  sources.push_back(make_box());
  sources.push_back(make_l_beam());
  sources.push_back(make_michell());
  sources.push_back(make_connecting_rod());
  sources.push_back(make_hollow_cylinder());
  sources.push_back(make_mesh_file());
  return sources;
}
} // namespace strut::plugin
