// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <iterator>

#include "plugin/deck/mesh/mesh_source.h"
#include "source/base/entries.h"

// All sources, in the order of the reference. Each is a function in the file of its name.
#define STRUT_MESH_SOURCES(SOURCE) \
  SOURCE(make_box)                 \
  SOURCE(make_l_beam)              \
  SOURCE(make_michell)             \
  SOURCE(make_connecting_rod)      \
  SOURCE(make_hollow_cylinder)     \
  SOURCE(make_mesh_file)

namespace strut
{
STRUT_DECLARE_EACH(STRUT_MESH_SOURCES, std::unique_ptr<MeshSource>)

std::vector<std::unique_ptr<MeshSource>> make_mesh_sources()
{
  std::unique_ptr<MeshSource> sources[] = {STRUT_CALL_EACH(STRUT_MESH_SOURCES)};
  return {std::make_move_iterator(std::begin(sources)), std::make_move_iterator(std::end(sources))};
}
} // namespace strut
