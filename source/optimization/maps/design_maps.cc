// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/base/registry.h"

#include <strut/optimization/maps/design_map.h>

// All maps, in the order of the reference; each is a function in a file of its name.
#define STRUT_DESIGN_MAPS(MAP) \
  MAP(density_map)             \
  MAP(helmholtz_map)           \
  MAP(projection_map)          \
  MAP(extrusion_map)           \
  MAP(repetition_map)          \
  MAP(cyclic_map)              \
  MAP(mirror_map)              \
  MAP(overhang_map)            \
  MAP(casting_map)

namespace strut
{
STRUT_DECLARE_EACH(STRUT_DESIGN_MAPS, DesignMapEntry)

namespace
{
std::vector<DesignMapEntry> &list()
{
  static std::vector<DesignMapEntry> list = {STRUT_CALL_EACH(STRUT_DESIGN_MAPS)};
  return list;
}
} // namespace

const std::vector<DesignMapEntry> &design_maps()
{
  return list();
}

void add_design_map(const DesignMapEntry &map)
{
  add_named(list(), map, "a map of the design");
}

const DesignMapEntry &find_design_map(const std::string &name)
{
  return find_named(list(), name, "map of the design");
}
} // namespace strut
